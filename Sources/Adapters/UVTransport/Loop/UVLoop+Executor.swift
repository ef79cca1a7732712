internal import CUV
internal import Glibc

extension UVLoop {
    /// The maximum number of rounds of jobs before the loop polls its sockets and timers again.
    static let maximumTurnsPerDrain = 16

    /// The thread-local key for the thread's loop, a pointer that is only compared.
    private static let threadKey: pthread_key_t = {
        var key = pthread_key_t()
        pthread_key_create(&key, nil)
        return key
    }()

    /// Whether the caller runs on this loop.
    public var isOnLoop: Bool {
        pthread_getspecific(Self.threadKey)
            == UnsafeMutableRawPointer(
                Unmanaged.passUnretained(self).toOpaque()
            )
    }

    /// Marks the current thread as the one that runs this loop's jobs.
    func enterThread() {
        pthread_setspecific(Self.threadKey, Unmanaged.passUnretained(self).toOpaque())
    }

    /// Removes the mark.
    func leaveThread() {
        pthread_setspecific(Self.threadKey, nil)
    }

    /// Reports to the runtime that a libuv callback is already isolated to the loop's actors.
    public func isIsolatingCurrentContext() -> Bool? { isOnLoop }

    /// Traps when the caller is on another thread.
    public func checkIsolated() {
        precondition(isOnLoop, "not on the thread of the loop '\(name)'")
    }

    /// Enqueues a job of the Swift runtime; jobs run on the loop in order of arrival.
    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        // On the loop itself, no lock and no system call are needed.
        if isOnLoop { return ready.append(job) }
        handOver { $0.jobs.append(job) }
    }

    /// Runs a closure on the loop: at once when the caller is on it, otherwise as soon as it wakes.
    ///
    /// Calls from one thread keep their order. A closure is never lost, even after ``shutdown()``.
    func run(_ body: @escaping @Sendable () -> Void) {
        if isOnLoop { return body() }
        post(body)
    }

    /// Runs a closure on the loop, never inside the current call.
    package func post(_ body: @escaping @Sendable () -> Void) {
        // Jobs run before every poll, so on the loop itself no wake-up is needed.
        if isOnLoop { return readyCalls.append(body) }
        handOver { $0.calls.append(body) }
    }

    /// Whether this thread has no job or call to run (on the loop).
    private var isReadyForNothing: Bool { ready.isEmpty && readyCalls.isEmpty }

    private func handOver(_ append: (inout Inbox) -> Void) {
        // The job may be the last reference to the loop, and it may end before this call returns.
        let me = Unmanaged.passRetained(self)
        defer { me.release() }
        let (ring, late) = inbox.withLock { inbox in
            let wasEmpty = inbox.isEmpty
            append(&inbox)
            guard inbox.closed else { return (wasEmpty && !inbox.isAwake, false) }
            let starts = !inbox.lateThread
            inbox.lateThread = true
            return (false, starts)
        }
        if ring { bell.ring() }
        if late { startLateThread() }
    }

    /// Keeps the loop from sleeping for a moment, because another thread is about to call it: to
    /// wake a thread may take as long as the work that it waits for (on the loop).
    ///
    /// Sockets and timers are served as usual. The loop yields the processor to other threads, and
    /// may sleep again as soon as anything arrives from another thread.
    package func stayAwake(nanoseconds: Int64) {
        awakeUntil = LoopClock.monotonicNanoseconds() + nanoseconds
    }

    /// Runs what is ready for a bounded number of rounds, so that no task can starve the sockets.
    func drain() {
        var turns = Self.maximumTurnsPerDrain
        while turns > 0, runOnce() { turns -= 1 }
        if inbox.withLock({ $0.stopping }) { stopWhenIdle() }
        let more = staysAwake() || !isReadyForNothing
        if more != spinning {
            spinning = more
            if more {
                uv_idle_start(spin) { handle in
                    guard let loop = UVLoop.of(handle?.pointee.loop), loop.awakeUntil != 0 else {
                        return
                    }
                    sched_yield()
                }
            } else {
                uv_idle_stop(spin)
            }
        }
    }

    /// Whether the loop still stays awake for another thread's call.
    private func staysAwake() -> Bool {
        guard awakeUntil != 0 else { return false }
        let expects = LoopClock.monotonicNanoseconds() < awakeUntil
        if !expects { awakeUntil = 0 }
        return inbox.withLock { inbox in
            inbox.isAwake = expects
            // What arrived while the loop was awake has not rung the bell.
            return expects || !inbox.isEmpty
        }
    }

    /// Runs one round; returns `false` when there was no job to run.
    private func runOnce() -> Bool {
        var calls: [@Sendable () -> Void] = []
        swap(&readyCalls, &calls)
        inbox.withLock { inbox in
            if !inbox.isEmpty {
                awakeUntil = 0
                inbox.isAwake = false
            }
            calls += inbox.calls
            inbox.calls.removeAll(keepingCapacity: true)
            if ready.isEmpty {
                swap(&inbox.jobs, &ready)
            } else {
                ready += inbox.jobs
                inbox.jobs.removeAll(keepingCapacity: true)
            }
        }
        if calls.isEmpty, ready.isEmpty { return false }
        for call in calls { call() }
        swap(&ready, &batch)
        let serial = asUnownedSerialExecutor()
        let tasks = asUnownedTaskExecutor()
        for index in batch.indices {
            batch[index].runSynchronously(isolatedTo: serial, taskExecutor: tasks)
        }
        batch.removeAll(keepingCapacity: true)
        return true
    }

    /// Ends the waiting jobs, then stops libuv once no job is left.
    private func stopWhenIdle() {
        acceptsHandles = false
        let hooks = shutdownHooks.values.map { $0 }
        shutdownHooks = [:]
        for hook in hooks { hook() }
        for timer in timers.values.map({ $0 }) { timer.fire(elapsed: false) }
        // The handles that the hooks closed may cause no further event, so nothing else would wake
        // the loop.
        if !hooks.isEmpty { return bell.ring() }
        guard workInFlight == 0, isReadyForNothing else { return }
        guard inbox.withLock({ $0.isEmpty }) else { return }
        acceptsWork = false
        uv_stop(raw)
    }

    /// Runs jobs that arrived while libuv was closing; returns `false` once the loop is permanently
    /// closed.
    func runLeftovers() -> Bool {
        if runOnce() { return true }
        return inbox.withLock { inbox in
            inbox.closed = inbox.isEmpty && isReadyForNothing
            return !inbox.closed
        }
    }

    /// Runs jobs that arrive after the end on a short-lived thread, never two at a time.
    private func startLateThread() {
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        defer { pthread_attr_destroy(&attributes) }
        var thread = pthread_t()
        let me = Unmanaged.passRetained(self)
        let status = pthread_create(
            &thread,
            &attributes,
            { argument in
                guard let argument else { return nil }
                Unmanaged<UVLoop>.fromOpaque(argument).takeRetainedValue().runLate()
                return nil
            },
            me.toOpaque()
        )
        precondition(status == 0, "no thread for the last jobs of the loop '\(name)': \(status)")
    }

    private func runLate() {
        enterThread()
        defer { leaveThread() }
        while true {
            if runOnce() { continue }
            let done = inbox.withLock { inbox in
                let done = inbox.isEmpty && isReadyForNothing
                if done { inbox.lateThread = false }
                return done
            }
            if done { return }
        }
    }
}
