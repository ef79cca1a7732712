internal import EventLog
internal import UVTransport

/// The queue of appends and the connections that write them: group commit.
///
/// Appends made in one turn of the loop, or while transactions are under way, go into the next
/// transaction: one statement, one round trip, one commit. When there are many, each connection
/// writes its share of the lanes: these transactions commit beside each other. There is never more
/// than one append of a session under way.
///
/// - Note: Isolation: the loop.
actor PostgreSQLWriter {
    private struct Waiting {
        var append: FencedAppend
        var caller: UnsafeContinuation<EventStoreError?, Never>
        /// The number of the last transaction that was started before.
        var since: Int
    }

    /// A transaction under way.
    private struct UnderWay {
        var task: Task<Void, Never>
        var writer: Int
    }

    /// What compresses the records that a connection writes.
    private struct Compression {
        /// Compresses new records; `nil` while the store has no dictionary.
        var compressor: RecordCompressor?
        /// When the store was last asked for a newer dictionary, and on which connection: another
        /// one may lead to a server that does not have it.
        var checked: (at: ContinuousClock.Instant, on: ObjectIdentifier)?
    }

    nonisolated let loop: UVLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    private let pool: PostgreSQLPool
    private let options: PostgreSQLOptions
    private let lanes: PostgreSQLLanes
    private let readModel: ReadModel
    private let watch: LineageWatch
    private var waiting: [Waiting] = []
    /// The sessions of the transactions under way; their further appends wait for the response.
    private var streamsUnderWay: Set<SessionID> = []
    /// The transactions under way.
    private var transactions: [Int: UnderWay] = [:]
    private var lastNumber = 0
    /// Whether a transaction was started.
    var hasWritten: Bool { lastNumber > 0 }
    /// What compresses the records, by connection.
    private var compressions: [Compression]
    /// The number of appends that were left waiting when some were sent last.
    private var left = 0
    /// Whether the waiting appends will be sent before the turn ends.
    private var isGathering = false
    private var isClosed = false

    /// The time after which the store is asked again for a newer dictionary.
    private static let compressorPause = Duration.seconds(60)
    /// The number of appends in one transaction before a second one is started beside it on the
    /// same connection.
    private static let smallestShare = 64
    /// The number of appends with which another connection starts a transaction beside those under
    /// way.
    ///
    /// Fewer wait for these, as in a store with one lane: a commit costs more than they do.
    private static let smallestSplit = 32

    init(
        _ pool: PostgreSQLPool,
        on loop: UVLoop,
        lanes: PostgreSQLLanes,
        readModel: ReadModel,
        watch: LineageWatch,
        options: PostgreSQLOptions
    ) {
        self.pool = pool
        self.loop = loop
        self.lanes = lanes
        self.readModel = readModel
        self.watch = watch
        self.options = options
        let writers = min(options.writers, lanes.count)
        compressions = Array(repeating: Compression(), count: writers)
    }

    /// The number of connections.
    private var writers: Int { compressions.count }

    /// The connection that writes the lane of an append when each has its share.
    private func writer(of append: FencedAppend) -> Int {
        lanes.lane(of: append.append.stream) % writers
    }

    /// Appends and waits until the append is durable.
    func append(_ append: FencedAppend) async throws(EventStoreError) {
        guard !isClosed else { throw .closed }
        guard waiting.count < options.maximumWaitingAppends else {
            throw .overloaded(name: "maximumWaitingAppends")
        }
        let error: EventStoreError? = await withUnsafeContinuation { caller in
            waiting.append(Waiting(append: append, caller: caller, since: lastNumber))
            gather()
        }
        if let error { throw error }
    }

    /// Schedules the waiting appends to be sent together with whatever else this turn of the loop
    /// appends.
    private func gather() {
        let most = writers * options.maximumTransactionsUnderWay
        guard !isGathering, transactions.count < most,
            // Fewer wait for what is under way.
            transactions.isEmpty || writers == 1
                || waiting.count >= left + Self.smallestSplit
        else { return }
        sendLater()
    }

    private func sendLater() {
        guard !isGathering else { return }
        isGathering = true
        loop.spawn {
            await Task.yield()
            await self.send()
        }
    }

    private func send() {
        isGathering = false
        defer { left = waiting.count }
        while let (batch, writer) = nextBatch() {
            lastNumber += 1
            let number = lastNumber
            let task = loop.spawn { await self.write(batch, as: number, by: writer) }
            transactions[number] = UnderWay(task: task, writer: writer)
        }
    }

    private func write(_ batch: [Waiting], as number: Int, by writer: Int) async {
        let outcomes = await write(batch.map(\.append), by: writer)
        transactions[number] = nil
        for one in batch { streamsUnderWay.remove(one.append.append.stream) }
        // On one connection, commits are acknowledged in their order.
        let newest = batch.indices.last { batch[$0].append.token != nil && outcomes[$0] == nil }
        if let newest, let mark = LogMark(after: batch[newest].append.append) {
            watch.note(mark, by: writer)
        }
        for (one, outcome) in zip(batch, outcomes) { one.caller.resume(returning: outcome) }
        if !waiting.isEmpty { sendLater() }
    }

    /// The next appends to write, and the connection for them; `nil` when all that can be sent is
    /// under way.
    ///
    /// Few appends go into one transaction, whatever their lanes; many go to the connections of
    /// their lanes. A connection starts beside transactions under way only for many appends, or for
    /// those that were there before all of these.
    private func nextBatch() -> (appends: [Waiting], writer: Int)? {
        let oldest = transactions.keys.min() ?? .max
        let isFew = waiting.count <= Self.smallestSplit * writers
        if writers == 1 || (transactions.isEmpty && isFew) {
            let batch = hasRoom(0) ? nextBatch(of: nil) : []
            return batch.isEmpty ? nil : (batch, 0)
        }
        var shares = Array(repeating: (count: 0, since: Int.max), count: writers)
        for one in waiting {
            let writer = writer(of: one.append)
            shares[writer].count += 1
            shares[writer].since = min(shares[writer].since, one.since)
        }
        for (writer, share) in shares.enumerated() where hasRoom(writer) {
            guard share.count >= Self.smallestSplit || share.since < oldest else { continue }
            let batch = nextBatch(of: writer)
            if !batch.isEmpty { return (batch, writer) }
        }
        return nil
    }

    /// Whether a connection may have a further transaction under way.
    private func hasRoom(_ writer: Int) -> Bool {
        transactions.values.count { $0.writer == writer } < options.maximumTransactionsUnderWay
    }

    /// The next appends, of different sessions: two appends to one stream would not see each other
    /// within one statement.
    ///
    /// When there are many, they are divided among the transactions that a connection may have
    /// under way, so that the next one is sent while the server works on the first.
    ///
    /// - Parameter writer: The connection whose lanes count; `nil` for all lanes.
    /// - Returns: The appends, which are no longer waiting.
    private func nextBatch(of writer: Int?) -> [Waiting] {
        let busy = transactions.values.count { $0.writer == writer ?? 0 }
        let free = max(1, options.maximumTransactionsUnderWay - busy)
        let share = max(Self.smallestShare, (waiting.count + free - 1) / free)
        let most = min(share, options.maximumAppendsPerTransaction)
        var (batch, later): ([Waiting], [Waiting]) = ([], [])
        var bytes = 0
        for one in waiting {
            let fits =
                batch.count < most && bytes < options.maximumBytesPerTransaction
                && (writer == nil || self.writer(of: one.append) == writer)
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
            if let one = transactions.values.first {
                await one.task.value
            } else {
                await Task.yield()
            }
        }
    }

    /// The maximum number of tries of a transaction after deadlocks and serialization failures.
    private static let tries = 5

    private func write(_ appends: [FencedAppend], by writer: Int) async -> [EventStoreError?] {
        do throws(PQFailure) {
            return try await attempt(appends, by: writer)
        } catch  where error.concernsOneAppend && appends.count > 1 {
            // The table contradicts the projection for one of the appends, or cannot store it:
            // write each on its own.
            return await writeOneByOne(appends, by: writer)
        } catch {
            return Array(repeating: error.storeError, count: appends.count)
        }
    }

    private func writeOneByOne(
        _ appends: [FencedAppend],
        by writer: Int
    ) async -> [EventStoreError?] {
        var outcomes: [EventStoreError?] = []
        for append in appends {
            do throws(PQFailure) {
                outcomes.append(try await attempt([append], by: writer)[0])
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

    private func attempt(
        _ appends: [FencedAppend],
        by writer: Int
    ) async throws(PQFailure) -> [EventStoreError?] {
        var tries = 1
        while true {
            let connection = try await connection(writer)
            var refused: Set<SessionID> = []
            do throws(PQFailure) {
                refused = try await append(appends, by: writer, on: connection)
            } catch  where error.isOfStandby {
                // The server is no longer the primary; another host of the connection string may
                // be.
                await connection.close()
                throw error
            } catch  where error.isBadLuck && tries < Self.tries {
                tries += 1
                continue
            }
            var outcomes: [EventStoreError?] = []
            for append in appends {
                let isRefused = refused.contains(append.append.stream)
                outcomes.append(isRefused ? try await refusal(of: append, connection) : nil)
            }
            return outcomes
        }
    }

    /// Writes appends in one transaction, and returns the sessions that were refused.
    private func append(
        _ appends: [FencedAppend],
        by writer: Int,
        on connection: PQConnection
    ) async throws(PQFailure) -> Set<SessionID> {
        let compressor = try await compressor(of: writer, on: connection)
        let command = PostgreSQLAppend.command(
            appends,
            in: lanes,
            for: readModel,
            compressedBy: compressor
        )
        guard let rows = try await connection.run([command]).first else {
            throw PQFailure(.lost, "the server returned no rows")
        }
        let refused = Set(
            (0..<rows.count).compactMap { rows.text($0, 0).flatMap { SessionID($0) } }
        )
        // A record counts as written only when the server has acknowledged it.
        let granted = (0..<rows.count).compactMap { rows.integer($0, 1) }.first
        guard granted == Int64(appends.count - refused.count) else {
            throw PQFailure(.lost, "the server did not confirm what it wrote")
        }
        return refused
    }

    /// Returns a writing connection; the first one, when another one cannot be opened.
    private func connection(_ writer: Int) async throws(PQFailure) -> PQConnection {
        guard writer > 0 else { return try await pool.writer() }
        do throws(PQFailure) {
            return try await pool.writer(writer)
        } catch {
            // Nothing was sent.
            return try await pool.writer()
        }
    }

    /// What compresses records with the newest dictionary of the store, which is read unless that
    /// was done a moment ago.
    private func compressor(
        of writer: Int,
        on connection: PQConnection
    ) async throws(PQFailure) -> RecordCompressor? {
        let now = ContinuousClock.now
        let known = compressions[writer]
        if let checked = known.checked, checked.on == ObjectIdentifier(connection),
            now - checked.at < Self.compressorPause
        {
            return known.compressor
        }
        var compressor = known.compressor
        let mark = try await connection.run([PQCommand(PostgreSQLDictionaries.newestMark)])[0]
        let digest = mark.withBytes(0, 1, Digest256.init(stored:))
        if mark.integer(0, 0) != compressor.map({ Int64($0.dictionary) })
            || digest != compressor?.digest
        {
            let found = try await connection.run([PQCommand(PostgreSQLDictionaries.newest)])[0]
            // With an altered dictionary nothing is compressed: the records stay readable.
            compressor = PostgreSQLDictionaries.dictionary(in: found, 0).flatMap {
                RecordCompressor($0)
            }
        }
        compressions[writer] = Compression(
            compressor: compressor,
            checked: (now, ObjectIdentifier(connection))
        )
        return compressor
    }

    /// Makes the next transaction of each connection ask for a newer dictionary.
    func forgetCompressor() {
        for writer in compressions.indices { compressions[writer].checked = nil }
    }

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
