internal import EventLog
internal import UVTransport

/// The connections of a store: some that write, and some that read; lost ones are replaced on
/// demand.
///
/// - Note: Isolation: the loop.
actor PostgreSQLPool {
    nonisolated let loop: UVLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    private let target: PQTarget
    private let options: PostgreSQLOptions
    private let watch: LineageWatch
    private var writing: [Task<Result<PQConnection, PQFailure>, Never>?]
    private var reading: [Task<Result<PQConnection, PQFailure>, Never>?]
    private var next = 0
    private var isClosed = false
    /// The failures to open connections, and those to open further writing ones: a server may have
    /// room for a few connections only.
    private var (trouble, furtherTrouble) = (Trouble(), Trouble())

    /// The number of consecutive connection failures, the last one, and the time before which no
    /// attempt is made.
    private struct Trouble {
        var failures = 0
        var last: PQFailure?
        var notBefore: ContinuousClock.Instant?
    }

    /// The pause after the first failure to connect; it doubles with each further one.
    static let shortestPause = Duration.milliseconds(50)
    /// The longest pause before the next attempt to connect.
    static let longestPause = Duration.seconds(5)

    init(_ target: PQTarget, on loop: UVLoop, options: PostgreSQLOptions, watch: LineageWatch) {
        self.target = target
        self.watch = watch
        self.loop = loop
        self.options = options
        writing = Array(repeating: nil, count: options.writers)
        reading = Array(repeating: nil, count: options.readers)
    }

    /// Returns a writing connection.
    ///
    /// - Parameter number: Which one; the first one also serves everything but appends.
    /// - Returns: The connection.
    /// - Throws: ``PQFailure`` when it cannot be opened.
    func writer(_ number: Int = 0) async throws(PQFailure) -> PQConnection {
        while true {
            try refuseWhenClosed()
            let task = try connecting(
                writing[number],
                plans: PostgreSQLPlans.ofWriter,
                isFurther: number > 0
            )
            writing[number] = task
            if let connection = try await usable(
                task,
                forget: { if writing[number] == task { writing[number] = nil } }
            ) {
                return connection
            }
        }
    }

    /// Returns the reading connections in turn.
    func reader() async throws(PQFailure) -> PQConnection {
        next = (next + 1) % reading.count
        let place = next
        while true {
            try refuseWhenClosed()
            let task = try connecting(reading[place], plans: nil)
            reading[place] = task
            if let connection = try await usable(
                task,
                forget: { if reading[place] == task { reading[place] = nil } }
            ) {
                return connection
            }
        }
    }

    /// The connection that a task has opened, or will open; `nil` when it has been lost since.
    private func usable(
        _ task: Task<Result<PQConnection, PQFailure>, Never>,
        forget: () -> Void
    ) async throws(PQFailure) -> PQConnection? {
        switch await task.value {
        case .success(let connection):
            if await connection.isOpen { return connection }
            forget()
            return nil
        case .failure(let failure):
            forget()
            throw failure
        }
    }

    private func refuseWhenClosed() throws(PQFailure) {
        if isClosed { throw PQFailure(.notConnected, "the store was closed") }
    }

    /// Starts connecting, unless there is a connection, or connecting failed a moment ago.
    ///
    /// A store that is written must read the newest data: only a read-only store uses a standby.
    private func connecting(
        _ earlier: Task<Result<PQConnection, PQFailure>, Never>?,
        plans: PQStatement?,
        isFurther: Bool = false
    ) throws(PQFailure) -> Task<Result<PQConnection, PQFailure>, Never> {
        if let earlier { return earlier }
        let trouble = isFurther ? furtherTrouble : trouble
        if let last = trouble.last, let notBefore = trouble.notBefore,
            ContinuousClock.now < notBefore
        {
            throw last
        }
        let (target, options, watch) = (target, options, watch)
        let writes = options.access.appends
        return loop.spawn {
            do throws(PQFailure) {
                let connection = try await PQConnection.open(
                    target,
                    on: self.loop,
                    writes: writes,
                    options: options
                )
                // A server that does not support these settings plans by its defaults.
                if let plans {
                    _ = try? await connection.run([PQCommand(plans)])
                    try await Self.compare(connection, with: watch)
                }
                await self.connected(nil, isFurther: isFurther)
                return .success(connection)
            } catch {
                await self.connected(error, isFurther: isFurther)
                return .failure(error)
            }
        }
    }

    /// A new connection may lead to another server, or to an earlier state of this one: if it lacks
    /// an acknowledged record, no request is sent any more.
    private static func compare(
        _ connection: PQConnection,
        with watch: LineageWatch
    ) async throws(PQFailure) {
        for mark in watch.marks where try await !PostgreSQLLineage(connection).has(mark) {
            return watch.doubt(lacking: mark)
        }
    }

    /// Records the outcome of an attempt: after a failure the next one must wait, longer each time.
    private func connected(_ failure: PQFailure?, isFurther: Bool) {
        var trouble = isFurther ? furtherTrouble : trouble
        trouble.last = failure
        trouble.failures = failure == nil ? 0 : trouble.failures + 1
        let pause = min(Self.shortestPause * (1 << min(trouble.failures, 10)), Self.longestPause)
        trouble.notBefore = failure == nil ? nil : ContinuousClock.now + pause
        if isFurther { furtherTrouble = trouble } else { self.trouble = trouble }
    }

    /// Closes all connections.
    func close() async {
        isClosed = true
        for task in writing + reading {
            if case .success(let connection)? = await task?.value { await connection.close() }
        }
    }
}
