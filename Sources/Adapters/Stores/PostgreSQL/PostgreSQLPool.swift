internal import Workflow

/// The few connections of a store: one that writes, some that read; lost ones are made anew when they are needed.
///
/// - Note: Isolation: the loop.
actor PostgreSQLPool {
    nonisolated let loop: UVLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    private let target: PQTarget
    private let options: PostgreSQLOptions
    private var writing: Task<Result<PQConnection, PQFailure>, Never>?
    private var reading: [Task<Result<PQConnection, PQFailure>, Never>?]
    private var next = 0
    private var isClosed = false

    init(_ target: PQTarget, on loop: UVLoop, options: PostgreSQLOptions) {
        self.target = target
        self.loop = loop
        self.options = options
        reading = Array(repeating: nil, count: options.readers)
    }

    /// The connection that writes.
    func writer() async throws(PQFailure) -> PQConnection {
        while true {
            try refuseWhenClosed()
            let task = writing ?? connect(writes: options.access != .readOnly)
            writing = task
            let result = await task.value
            if case .success(let connection) = result, await connection.isOpen { return connection }
            if writing == task { writing = nil }
            if case .failure(let failure) = result { throw failure }
        }
    }

    /// A connection that reads, each in turn.
    func reader() async throws(PQFailure) -> PQConnection {
        next = (next + 1) % reading.count
        let place = next
        while true {
            try refuseWhenClosed()
            let task = reading[place] ?? connect(writes: false)
            reading[place] = task
            let result = await task.value
            if case .success(let connection) = result, await connection.isOpen { return connection }
            if reading[place] == task { reading[place] = nil }
            if case .failure(let failure) = result { throw failure }
        }
    }

    private func refuseWhenClosed() throws(PQFailure) {
        if isClosed { throw PQFailure(.notConnected, "the store was closed") }
    }

    private func connect(writes: Bool) -> Task<Result<PQConnection, PQFailure>, Never> {
        let (target, loop, options) = (target, loop, options)
        return loop.spawn {
            do throws(PQFailure) {
                return .success(
                    try await PQConnection.open(target, on: loop, writes: writes, options: options)
                )
            } catch {
                return .failure(error)
            }
        }
    }

    /// Closes all connections.
    func close() async {
        isClosed = true
        for task in [writing] + reading {
            if case .success(let connection)? = await task?.value { await connection.close() }
        }
    }
}
