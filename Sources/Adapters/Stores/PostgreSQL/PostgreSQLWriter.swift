internal import Workflow

/// The queue of appends and the connection that writes them: group commit.
///
/// What comes in one turn of the loop, or while a transaction is under way, goes into the next one: one statement, one
/// round trip, one commit.
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
    private var work: Task<Void, Never>?
    private var isClosed = false

    init(_ pool: PostgreSQLPool, on loop: UVLoop, options: PostgreSQLOptions) {
        self.pool = pool
        self.loop = loop
        self.options = options
    }

    /// Appends and waits until it is durable.
    func append(_ append: FencedAppend) async throws(EventStoreError) {
        guard !isClosed else { throw .closed }
        guard waiting.count < options.maximumWaitingAppends else {
            throw .overloaded(name: "maximumWaitingAppends")
        }
        let error: EventStoreError? = await withUnsafeContinuation { caller in
            waiting.append(Waiting(append: append, caller: caller))
            if work == nil { work = loop.spawn { await self.drain() } }
        }
        if let error { throw error }
    }

    private func drain() async {
        // Whatever else this turn of the loop appends comes along.
        await Task.yield()
        while !waiting.isEmpty {
            let batch = takeBatch()
            let outcomes = await write(batch.map(\.append))
            for (waiting, outcome) in zip(batch, outcomes) {
                waiting.caller.resume(returning: outcome)
            }
        }
        work = nil
    }

    /// The next appends, of different sessions: two to one stream would not see each other within one statement.
    private func takeBatch() -> [Waiting] {
        var (batch, later): ([Waiting], [Waiting]) = ([], [])
        var streams: Set<SessionID> = []
        var bytes = 0
        for one in waiting {
            let fits =
                batch.count < options.maximumAppendsPerTransaction
                && bytes < options.maximumBytesPerTransaction
            if fits, streams.insert(one.append.append.stream).inserted {
                bytes += one.append.append.bytes
                batch.append(one)
            } else {
                later.append(one)
            }
        }
        waiting = later
        return batch
    }

    /// Takes no more appends and writes those that wait.
    func close() async {
        isClosed = true
        while let work { await work.value }
    }

    /// How often a transaction that had bad luck, as in a deadlock, is tried again.
    private static let tries = 5

    private func write(_ appends: [FencedAppend]) async -> [EventStoreError?] {
        do throws(PQFailure) {
            return try await attempt(appends)
        } catch  where error.concernsOneAppend && appends.count > 1 {
            // The table contradicts the projection in one of them, or can't hold it: each by itself.
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
                guard
                    let found = try await connection.run([PostgreSQLAppend.command(appends)]).first
                else { throw PQFailure(.lost, "the server gave no rows") }
                rows = found
            } catch  where error.isOfStandby {
                // The server was a primary once; another host of the string may be the one now.
                await connection.close()
                throw error
            } catch  where error.isBadLuck && tries < Self.tries {
                tries += 1
                continue
            }
            let granted = Set((0..<rows.count).compactMap { rows.text($0, 0) })
            var outcomes: [EventStoreError?] = []
            for append in appends {
                let isWritten = granted.contains("\(append.append.stream)")
                outcomes.append(isWritten ? nil : try await refusal(of: append, connection))
            }
            return outcomes
        }
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
        let actual = rows?.integer(0, 0) ?? 0
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

extension StreamAppend {
    /// About how much goes to the server.
    fileprivate var bytes: Int {
        records.reduce(0) { sum, record in
            record.seals.reduce(sum + record.canonical.count) { $0 + $1.count }
        }
    }
}
