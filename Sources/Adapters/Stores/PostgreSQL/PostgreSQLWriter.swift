internal import EventLog
internal import SwedbankPay

/// The queue of appends and the connection that writes them: group commit.
///
/// Appends made in one turn of the loop, or while transactions are under way, go into the next
/// transaction: one statement, one round trip, one commit. When several may be under way, the
/// server executes them one after another and finds the next one already there when it has finished
/// one. There is never more than one append of a session under way.
///
/// - Note: Isolation: the loop.
actor PostgreSQLWriter {
    private struct Waiting {
        var append: FencedAppend
        var caller: UnsafeContinuation<EventStoreError?, Never>
    }

    nonisolated let loop: UVLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    private let pool: PostgreSQLPool
    private let options: PostgreSQLOptions
    private var waiting: [Waiting] = []
    /// The sessions of the transactions under way; their further appends wait for the response.
    private var streamsUnderWay: Set<SessionID> = []
    /// The transactions under way.
    private var transactions: [Int: Task<Void, Never>] = [:]
    private var lastNumber = 0
    /// Compresses new records; `nil` while the store has no dictionary.
    private var compressor: RecordCompressor?
    /// When the store was last asked for a newer dictionary, and on which connection: another one
    /// may lead to a server that does not have it.
    private var compressorChecked: (at: ContinuousClock.Instant, on: ObjectIdentifier)?
    /// Whether the waiting appends will be sent before the turn ends.
    private var isGathering = false
    private var isClosed = false

    /// The time after which the store is asked again for a newer dictionary.
    private static let compressorPause = Duration.seconds(60)
    /// The number of appends in one transaction before a second one is started beside it.
    private static let smallestShare = 64

    init(_ pool: PostgreSQLPool, on loop: UVLoop, options: PostgreSQLOptions) {
        self.pool = pool
        self.loop = loop
        self.options = options
    }

    /// Appends and waits until the append is durable.
    func append(_ append: FencedAppend) async throws(EventStoreError) {
        guard !isClosed else { throw .closed }
        guard waiting.count < options.maximumWaitingAppends else {
            throw .overloaded(name: "maximumWaitingAppends")
        }
        let error: EventStoreError? = await withUnsafeContinuation { caller in
            waiting.append(Waiting(append: append, caller: caller))
            gather()
        }
        if let error { throw error }
    }

    /// Schedules the waiting appends to be sent together with whatever else this turn of the loop
    /// appends.
    private func gather() {
        guard !isGathering, transactions.count < options.maximumTransactionsUnderWay else { return }
        isGathering = true
        loop.spawn {
            await Task.yield()
            await self.send()
        }
    }

    private func send() {
        isGathering = false
        while transactions.count < options.maximumTransactionsUnderWay {
            let batch = takeBatch()
            guard !batch.isEmpty else { return }
            lastNumber += 1
            let number = lastNumber
            transactions[number] = loop.spawn { await self.write(batch, as: number) }
        }
    }

    private func write(_ batch: [Waiting], as number: Int) async {
        let outcomes = await write(batch.map(\.append))
        transactions[number] = nil
        for one in batch { streamsUnderWay.remove(one.append.append.stream) }
        for (one, outcome) in zip(batch, outcomes) { one.caller.resume(returning: outcome) }
        if !waiting.isEmpty { gather() }
    }

    /// The next appends, of different sessions: two appends to one stream would not see each other
    /// within one statement.
    ///
    /// When there are many, they are divided among the transactions that may be under way, so that
    /// the next one is sent while the server works on the first.
    private func takeBatch() -> [Waiting] {
        let free = max(1, options.maximumTransactionsUnderWay - transactions.count)
        let share = max(Self.smallestShare, (waiting.count + free - 1) / free)
        let most = min(share, options.maximumAppendsPerTransaction)
        var (batch, later): ([Waiting], [Waiting]) = ([], [])
        var bytes = 0
        for one in waiting {
            let fits = batch.count < most && bytes < options.maximumBytesPerTransaction
            if fits, streamsUnderWay.insert(one.append.append.stream).inserted {
                bytes += one.append.append.bytes
                batch.append(one)
            } else {
                later.append(one)
            }
        }
        waiting = later
        return batch
    }

    /// Accepts no more appends and writes the waiting ones.
    func close() async {
        isClosed = true
        while isGathering || !transactions.isEmpty {
            if let task = transactions.values.first { await task.value } else { await Task.yield() }
        }
    }

    /// The maximum number of tries of a transaction after deadlocks and serialization failures.
    private static let tries = 5

    private func write(_ appends: [FencedAppend]) async -> [EventStoreError?] {
        do throws(PQFailure) {
            return try await attempt(appends)
        } catch  where error.concernsOneAppend && appends.count > 1 {
            // The table contradicts the projection for one of the appends, or cannot store it:
            // write each on its own.
            return await writeOneByOne(appends)
        } catch {
            return Array(repeating: error.storeError, count: appends.count)
        }
    }

    private func writeOneByOne(_ appends: [FencedAppend]) async -> [EventStoreError?] {
        var outcomes: [EventStoreError?] = []
        for append in appends {
            do throws(PQFailure) {
                outcomes.append(try await attempt([append])[0])
            } catch {
                guard case .corrupt(_, _, let reason) = error.storeError else {
                    outcomes.append(error.storeError)
                    continue
                }
                outcomes.append(
                    .corrupt(stream: append.append.stream, sequence: nil, reason: reason)
                )
            }
        }
        return outcomes
    }

    private func attempt(_ appends: [FencedAppend]) async throws(PQFailure) -> [EventStoreError?] {
        var tries = 1
        while true {
            let connection = try await pool.writer()
            let rows: PQRows
            do throws(PQFailure) {
                try await prepareCompressor(on: connection)
                let command = PostgreSQLAppend.command(appends, compressedBy: compressor)
                guard let found = try await connection.run([command]).first
                else { throw PQFailure(.lost, "the server returned no rows") }
                rows = found
            } catch  where error.isOfStandby {
                // The server is no longer the primary; another host of the connection string may
                // be.
                await connection.close()
                throw error
            } catch  where error.isBadLuck && tries < Self.tries {
                tries += 1
                continue
            }
            let refused = Set(
                (0..<rows.count).compactMap { rows.text($0, 0).flatMap { SessionID($0) } }
            )
            // A record counts as written only when the server has confirmed it.
            let granted = (0..<rows.count).compactMap { rows.integer($0, 1) }.first
            guard granted == Int64(appends.count - refused.count) else {
                throw PQFailure(.lost, "the server did not confirm what it wrote")
            }
            var outcomes: [EventStoreError?] = []
            for append in appends {
                let isRefused = refused.contains(append.append.stream)
                outcomes.append(isRefused ? try await refusal(of: append, connection) : nil)
            }
            return outcomes
        }
    }

    /// Prepares the newest dictionary of the store, unless that was done a moment ago.
    private func prepareCompressor(on connection: PQConnection) async throws(PQFailure) {
        let now = ContinuousClock.now
        if let checked = compressorChecked, checked.on == ObjectIdentifier(connection),
            now - checked.at < Self.compressorPause
        {
            return
        }
        do throws(PQFailure) {
            let mark = try await connection.run([PQCommand(PostgreSQLDictionaries.newestMark)])[0]
            let digest = mark.withBytes(0, 1, Digest256.init(stored:))
            if mark.integer(0, 0) != compressor.map({ Int64($0.dictionary) })
                || digest != compressor?.digest
            {
                // With an altered dictionary nothing is compressed: the records stay readable.
                compressor = nil
                let found = try await connection.run([PQCommand(PostgreSQLDictionaries.newest)])[0]
                compressor = PostgreSQLDictionaries.dictionary(in: found, 0).flatMap {
                    RecordCompressor($0)
                }
            }
        } catch  where error.lacksRight {
            // The role got its rights from an earlier build: records are stored as they are.
            compressor = nil
        }
        compressorChecked = (now, ObjectIdentifier(connection))
    }

    /// Makes the next transaction ask for a newer dictionary.
    func forgetCompressor() { compressorChecked = nil }

    /// Why an append was not written.
    private func refusal(
        of fenced: FencedAppend,
        _ connection: PQConnection
    ) async throws(PQFailure) -> EventStoreError {
        let append = fenced.append
        let rows = try await connection.run([
            PQCommand(
                PostgreSQLAppend.standing,
                .text("\(append.stream)"),
                append.summary.addressFingerprint.map { .bytes($0.bytes) } ?? .null,
                .optional(fenced.token)
            )
        ]).first
        let actual = rows?.sequence(0, 0) ?? 0
        if fenced.token != nil, rows?.integer(0, 2) != 1 {
            return .leaseLost(stream: append.stream)
        }
        if actual == append.expectedVersion,
            let owner = rows?.text(0, 1).flatMap({ SessionID($0) })
        {
            return .addressTaken(by: owner)
        }
        return .conflict(
            stream: append.stream,
            expected: append.expectedVersion,
            actual: actual
        )
    }
}
