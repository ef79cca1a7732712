package import EventLog
internal import UVTransport

/// Reading connections, each with its own thread and opened with its first read.
package final class SQLiteReaders: Sendable {
    /// A thread's connection.
    private struct Desk {
        var connection: SQLiteConnection?
    }

    private let threads: ConfinedThreads<Desk>
    let opening: SQLiteOpening
    /// The connection that detects commits of others: the counter is meaningful on one connection
    /// only, and every other connection of this store counts as another process for it.
    private let watch = ThreadLock<SQLiteConnection?>(nil)

    init(_ opening: SQLiteOpening) {
        self.opening = opening
        threads = ConfinedThreads(
            count: opening.options.readers,
            limit: opening.options.maximumWaitingReads
        ) {
            Desk()
        }
    }

    /// The number of concurrent reads.
    package var count: Int { opening.options.readers }

    /// Reads on one of the threads.
    package func read<Value: Sendable>(
        _ body: @escaping @Sendable (SQLiteConnection) throws -> Value
    ) async throws(EventStoreError) -> Value {
        try await perform { [opening] desk in
            let connection = try desk.connection ?? opening.openReader()
            desk.connection = connection
            return try body(connection)
        }
    }

    /// A number that changes with each commit of any connection.
    package func changeCounter() async throws(EventStoreError) -> Int64 {
        try await perform { [opening, watch] _ in
            try watch.withLock { known throws in
                let connection = try known ?? opening.openReader()
                known = connection
                let statement = try connection.statement("PRAGMA data_version")
                defer { statement.reset() }
                return try statement.step() ? statement.integer(0) : 0
            }
        }
    }

    private func perform<Value: Sendable>(
        _ body: @escaping @Sendable (inout Desk) throws -> Value
    ) async throws(EventStoreError) -> Value {
        let result: Result<Value, EventStoreError> = await withUnsafeContinuation { caller in
            let response = threads.submit { desk in
                do throws(EventStoreError) {
                    let value = try translated { try body(&desk) }
                    caller.resume(returning: .success(value))
                } catch {
                    caller.resume(returning: .failure(error))
                }
            }
            switch response {
            case .accepted: break
            case .tooMany:
                caller.resume(returning: .failure(.overloaded(name: "maximumWaitingReads")))
            case .finished: caller.resume(returning: .failure(.closed))
            }
        }
        return try result.get()
    }

    /// Accepts no more reads, completes the waiting ones, and closes the connections.
    package func close(_ onEnd: @escaping @Sendable () -> Void) {
        threads.finish { [watch] in
            watch.withLock { $0 = nil }
            onEnd()
        }
    }
}
