internal import EventLog
internal import UVTransport

/// The queue of appends and the thread that writes them: group commit.
///
/// Everything that waits when the thread is free is written in one transaction, and each caller is
/// resumed when its own append is durable. Appends made on the loop are passed on when the loop's
/// turn ends, so that all sessions that act in one turn share a transaction and a single wake-up.
final class SQLiteWriter: Sendable {
    private struct Waiting {
        var append: StreamAppend
        var caller: UnsafeContinuation<EventStoreError?, Never>
    }

    private struct Queue {
        var waiting: [Waiting] = []
        /// Whether the thread was notified, or will be at the end of the loop's turn.
        var isAnnounced = false
        var isClosed = false
        /// How long the last commit took, in nanoseconds; `nil` when it was of several appends.
        var lastCommit: Int64?
    }

    /// The thread's state once the file is open.
    private struct Desk {
        var connection: SQLiteConnection?
        var appender: SQLiteAppender?
        var deliveries: SQLiteDeliveries?
        var lists: SQLiteLists?
    }

    /// The number of times that the thread checks for more appends before it sleeps: for some tens
    /// of microseconds, in which a session that was just resumed often makes its next append.
    private static let spins = 100

    /// When one session writes, and its last commit took at most this many nanoseconds, the loop
    /// doesn't sleep until the next one is durable.
    private static let soon: Int64 = 300_000

    private let queue = ThreadLock(Queue())
    private let thread: ConfinedThreads<Desk>
    private let loop: UVLoop?
    private let options: SQLiteOptions

    init(loop: UVLoop?, options: SQLiteOptions) {
        self.loop = loop
        self.options = options
        thread = ConfinedThreads(count: 1, limit: Int.max, spins: Self.spins) { Desk() }
    }

    /// Opens the file on the thread, which may wait for another process that is doing the same.
    ///
    /// - Returns: The file's resolved path, and whether it can only be read.
    func open(
        _ opening: SQLiteOpening
    ) async throws(EventStoreError) -> (path: String, isReadOnly: Bool) {
        let result: Result<(path: String, isReadOnly: Bool), EventStoreError> =
            await withUnsafeContinuation { caller in
                let response = thread.submit { desk in
                    do throws(EventStoreError) {
                        let connection = try opening.openWriter()
                        if !connection.isReadOnly {
                            desk.connection = connection
                            desk.appender = try translated { try SQLiteAppender(connection) }
                            desk.deliveries = SQLiteDeliveries(connection)
                            desk.lists = try translated { try SQLiteLists(connection) }
                        }
                        let path = connection.resolvedPath ?? opening.path
                        caller.resume(returning: .success((path, connection.isReadOnly)))
                    } catch {
                        caller.resume(returning: .failure(error))
                    }
                }
                guard case .accepted = response else {
                    let error = EventStoreError.unavailable(
                        reason: "no thread could be started",
                        code: nil
                    )
                    return caller.resume(returning: .failure(error))
                }
            }
        return try result.get()
    }

    /// Appends and waits until the append is durable.
    ///
    /// A canceled task waits as well: its append cannot be undone.
    func append(_ append: StreamAppend) async throws(EventStoreError) {
        let error: EventStoreError? = await withUnsafeContinuation { caller in
            enqueue(Waiting(append: append, caller: caller))
        }
        if let error { throw error }
    }

    /// Changes the progress of consumers, after the waiting appends.
    func change(
        _ changes: [DeliveryChange],
        by claim: DeliveryClaim,
        at now: Instant
    ) async throws(EventStoreError) -> [DeliveryProgress?] {
        try await perform { desk in
            guard let deliveries = desk.deliveries else { throw EventStoreError.closed }
            return try deliveries.change(changes, by: claim, at: now)
        }
    }

    /// Copies rows for lists, after the waiting appends.
    ///
    /// - Parameter limit: The maximum number of records that are followed.
    /// - Returns: Whether the end of the log was reached.
    /// - Throws: ``EventStoreError``.
    func follow(limit: Int) async throws(EventStoreError) -> Bool {
        try await perform { desk in
            guard let lists = desk.lists else { throw EventStoreError.closed }
            return try lists.follow(limit: limit)
        }
    }

    /// Runs other work on the connection that appends, after the waiting appends.
    func work<Value: Sendable>(
        _ body: @escaping @Sendable (SQLiteConnection) throws -> Value
    ) async throws(EventStoreError) -> Value {
        try await perform { desk in
            guard let connection = desk.connection else { throw EventStoreError.closed }
            // The rows that were cached may have changed.
            defer { desk.appender?.forget() }
            do {
                return try body(connection)
            } catch {
                connection.rollBack()
                throw error
            }
        }
    }

    private func perform<Value: Sendable>(
        _ body: @escaping @Sendable (inout Desk) throws -> Value
    ) async throws(EventStoreError) -> Value {
        let result: Result<Value, EventStoreError> = await withUnsafeContinuation { caller in
            let response = thread.submit { desk in
                do throws(EventStoreError) {
                    caller.resume(returning: .success(try translated { try body(&desk) }))
                } catch {
                    caller.resume(returning: .failure(error))
                }
            }
            guard case .accepted = response else {
                return caller.resume(returning: .failure(.closed))
            }
        }
        return try result.get()
    }

    /// Runs work on that connection as one transaction, all or nothing.
    func transaction<Value: Sendable>(
        _ body: @escaping @Sendable (SQLiteConnection) throws -> Value
    ) async throws(EventStoreError) -> Value {
        // A failure is rolled back where it is caught.
        try await work { connection in
            try connection.execute("BEGIN IMMEDIATE")
            let value = try body(connection)
            try connection.execute("COMMIT")
            return value
        }
    }

    private func enqueue(_ waiting: Waiting) {
        let limit = options.maximumWaitingAppends
        let (refusal, announces) = queue.withLock { queue -> (EventStoreError?, Bool) in
            guard !queue.isClosed else { return (.closed, false) }
            guard queue.waiting.count < limit else {
                return (.overloaded(name: "maximumWaitingAppends"), false)
            }
            queue.waiting.append(waiting)
            defer { queue.isAnnounced = true }
            return (nil, !queue.isAnnounced)
        }
        if let refusal { return waiting.caller.resume(returning: refusal) }
        guard announces else { return }
        guard let loop, loop.isOnLoop else { return announce() }
        loop.post {
            let last = self.queue.withLock { $0.waiting.count > 1 ? nil : $0.lastCommit }
            self.announce()
            if let last, last <= Self.soon { loop.stayAwake(nanoseconds: 2 * last) }
        }
    }

    private func announce() {
        // After the end there are no waiting appends, because `close` has handled all of them.
        _ = thread.submit { desk in self.drain(&desk) }
    }

    /// Writes the waiting appends until none is left (on the thread).
    private func drain(_ desk: inout Desk) {
        let limit = options.maximumAppendsPerTransaction
        while true {
            let batch = queue.withLock { queue -> [Waiting] in
                guard queue.waiting.count > limit else {
                    defer { queue.waiting = [] }
                    queue.isAnnounced = !queue.waiting.isEmpty
                    return queue.waiting
                }
                defer { queue.waiting.removeFirst(limit) }
                return Array(queue.waiting.prefix(limit))
            }
            guard !batch.isEmpty else { return }
            let start = LoopClock.monotonicNanoseconds()
            let outcomes =
                desk.appender?.write(batch.map(\.append))
                ?? Array(repeating: .readOnly, count: batch.count)
            let duration = LoopClock.monotonicNanoseconds() - start
            queue.withLock { $0.lastCommit = batch.count == 1 ? duration : nil }
            deliver(outcomes, to: batch)
        }
    }

    /// Resumes the callers, together on the loop, so that their next appends share a transaction
    /// again.
    private func deliver(_ outcomes: [EventStoreError?], to batch: [Waiting]) {
        guard let loop, batch.count > 1 else {
            for (waiting, outcome) in zip(batch, outcomes) {
                waiting.caller.resume(returning: outcome)
            }
            return
        }
        loop.post {
            for (waiting, outcome) in zip(batch, outcomes) {
                waiting.caller.resume(returning: outcome)
            }
        }
    }

    /// Accepts no more appends, writes the waiting ones, and closes the file.
    ///
    /// - Parameter onEnd: Called on the thread, last of all.
    func close(_ onEnd: @escaping @Sendable () -> Void) {
        let isFirst = queue.withLock { queue in
            defer { queue.isClosed = true }
            return !queue.isClosed
        }
        if isFirst {
            _ = thread.submit { desk in
                self.drain(&desk)
                // Best effort: whoever reads lists next follows the rest.
                _ = try? desk.lists?.follow(limit: ListFollowing.records)
                desk.appender?.checkpoint()
                desk.appender = nil
                desk.connection = nil
                desk.deliveries = nil
                desk.lists = nil
            }
        }
        thread.finish(onEnd)
    }
}
