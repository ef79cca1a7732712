internal import CUV

extension UVLoop {
    /// Starts a task that runs on the loop and resumes there after every suspension.
    @discardableResult
    public func spawn<Success: Sendable>(
        priority: TaskPriority? = nil,
        operation: sending @escaping () async -> Success
    ) -> Task<Success, Never> {
        Task(executorPreference: self, priority: priority, operation: operation)
    }

    /// Starts a task that may throw; otherwise like ``spawn(priority:operation:)``.
    @discardableResult
    public func spawnThrowing<Success: Sendable>(
        priority: TaskPriority? = nil,
        operation: sending @escaping () async throws -> Success
    ) -> Task<Success, any Error> {
        Task(executorPreference: self, priority: priority, operation: operation)
    }

    /// Runs blocking work on libuv's worker pool without blocking the loop.
    ///
    /// A task of the loop resumes on the loop. Accepted work runs exactly once, even when the task
    /// is canceled or the loop shuts down meanwhile; after the loop's end it runs on the thread
    /// that runs the loop's last jobs.
    ///
    /// - Parameter work: The blocking work; it must not wait for the loop.
    /// - Returns: The result of `work`.
    /// - Throws: Only what `work` throws.
    public func offload<Value: Sendable, Failure: Error>(
        _ work: @escaping @Sendable () throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let result: Result<Value, Failure> = await withUnsafeContinuation { continuation in
            run {
                OffloadedWork(on: self) {
                    let result: Result<Value, Failure>
                    do throws(Failure) {
                        result = .success(try work())
                    } catch {
                        result = .failure(error)
                    }
                    return { continuation.resume(returning: result) }
                }.start()
            }
        }
        return try result.get()
    }

    /// Waits to the millisecond, never too short, without blocking a thread.
    ///
    /// - Throws: ``UVError/canceled(_:)`` as soon as the task is canceled,
    ///   ``UVError/shutdown(_:)`` when the loop ends first.
    public func sleep(for duration: Duration) async throws(UVError) {
        let sleeper = Sleeper(on: self, duration: duration)
        let outcome = await withTaskCancellationHandler {
            await withUnsafeContinuation { continuation in
                run { sleeper.start(continuation) }
            }
        } onCancel: {
            post { sleeper.cancel() }
        }
        switch outcome {
        case .elapsed: return
        case .canceled: throw .canceled("sleep")
        case .shutdown: throw .shutdown("sleep")
        }
    }
}

/// One piece of work on the worker pool; it keeps itself alive until it is done.
private final class OffloadedWork: @unchecked Sendable {
    // Unchecked: the worker writes `finish`, and the loop reads it after libuv has returned the
    // request; everything else is constant.
    private let loop: UVLoop
    private let work: @Sendable () -> @Sendable () -> Void
    private var finish: (@Sendable () -> Void)?

    init(on loop: UVLoop, work: @escaping @Sendable () -> @Sendable () -> Void) {
        self.loop = loop
        self.work = work
    }

    /// Starts the work (on the loop).
    func start() {
        guard loop.acceptsWork else { return work()() }
        let request = UnsafeMutablePointer<uv_work_t>.allocate(capacity: 1)
        request.pointee.data = Unmanaged.passRetained(self).toOpaque()
        loop.workInFlight += 1
        let status = uv_queue_work(
            loop.raw,
            request,
            { OffloadedWork.of($0)?.perform() },
            { request, _ in
                guard let request, let data = request.pointee.data else { return }
                let work = Unmanaged<OffloadedWork>.fromOpaque(data).takeRetainedValue()
                request.deallocate()
                work.end()
            }
        )
        precondition(status == 0, "uv_queue_work refuses only work without a function: \(status)")
    }

    private static func of(_ request: UnsafeMutablePointer<uv_work_t>?) -> OffloadedWork? {
        guard let data = request?.pointee.data else { return nil }
        return Unmanaged<OffloadedWork>.fromOpaque(data).takeUnretainedValue()
    }

    private func perform() { finish = work() }

    private func end() {
        loop.workInFlight -= 1
        finish?()
    }
}
