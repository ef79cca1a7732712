internal import EventLog
internal import SwedbankPay

/// The few connections of a store: one that writes, some that read; lost ones are made anew when they are needed.
///
/// - Note: Isolation: the loop.
actor PostgreSQLPool {
    nonisolated let loop: UVLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    private let target: PQTarget
    private let options: PostgreSQLOptions
    private let watch: LineageWatch
    private var writing: Task<Result<PQConnection, PQFailure>, Never>?
    private var reading: [Task<Result<PQConnection, PQFailure>, Never>?]
    private var next = 0
    private var isClosed = false
    /// How often in a row connecting has failed, how, and until when it is not tried again.
    private var failures = 0
    private var lastFailure: PQFailure?
    private var notBefore: ContinuousClock.Instant?

    /// The pause after the first failure to connect; doubled with each further one.
    static let shortestPause = Duration.milliseconds(50)
    /// The longest pause before connecting is tried again.
    static let longestPause = Duration.seconds(5)

    init(_ target: PQTarget, on loop: UVLoop, options: PostgreSQLOptions, watch: LineageWatch) {
        self.target = target
        self.watch = watch
        self.loop = loop
        self.options = options
        reading = Array(repeating: nil, count: options.readers)
    }

    /// The connection that writes.
    func writer() async throws(PQFailure) -> PQConnection {
        while true {
            try refuseWhenClosed()
            let task = try connecting(writing, plans: PostgreSQLPlans.ofWriter)
            writing = task
            if let connection = try await usable(
                task,
                forget: { if writing == task { writing = nil } }
            ) {
                return connection
            }
        }
    }

    /// A connection that reads, each in turn.
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

    /// The connection that a task has made, or will have; nothing when it was lost since.
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

    /// Begins to connect, unless there is a connection, or connecting has failed a moment ago.
    ///
    /// A store that is written needs what it reads to be the newest: only a store that is only read takes a standby.
    private func connecting(
        _ earlier: Task<Result<PQConnection, PQFailure>, Never>?,
        plans: PQStatement?
    ) throws(PQFailure) -> Task<Result<PQConnection, PQFailure>, Never> {
        if let earlier { return earlier }
        if let lastFailure, let notBefore, ContinuousClock.now < notBefore { throw lastFailure }
        let (target, options, watch) = (target, options, watch)
        let writes = options.access != .readOnly
        return loop.spawn {
            do throws(PQFailure) {
                let connection = try await PQConnection.open(
                    target,
                    on: self.loop,
                    writes: writes,
                    options: options
                )
                // A cluster that does not know how to be told plans as it likes.
                if let plans {
                    _ = try? await connection.run([PQCommand(plans)])
                    try await Self.compare(connection, with: watch)
                }
                await self.connected(nil)
                return .success(connection)
            } catch {
                await self.connected(error)
                return .failure(error)
            }
        }
    }

    /// Behind a new connection there may be another server, or an earlier state of this one: nothing is sent any more if it lacks
    /// what was acknowledged to us.
    private static func compare(
        _ connection: PQConnection,
        with watch: LineageWatch
    ) async throws(PQFailure) {
        guard let mark = watch.memory?.mark else { return }
        guard try await !PostgreSQLLineage(connection).has(mark) else { return }
        watch.doubt(.wentBack(stream: mark.stream, sequence: mark.sequence))
    }

    /// After a failure the next attempt has to wait, longer each time.
    private func connected(_ failure: PQFailure?) {
        lastFailure = failure
        failures = failure == nil ? 0 : failures + 1
        let pause = min(Self.shortestPause * (1 << min(failures, 10)), Self.longestPause)
        notBefore = failure == nil ? nil : ContinuousClock.now + pause
    }

    /// Closes all connections.
    func close() async {
        isClosed = true
        for task in [writing] + reading {
            if case .success(let connection)? = await task?.value { await connection.close() }
        }
    }
}
