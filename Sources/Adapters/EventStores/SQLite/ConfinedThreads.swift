internal import Glibc
internal import UVTransport

/// Threads that run jobs in order of arrival, each with a value that only it uses.
///
/// The value is a database connection, which blocks: it needs a thread that may wait for the disk.
final class ConfinedThreads<Confined>: Sendable {
    /// Work on a thread, with the thread's own value.
    ///
    /// A structure around the closure: each generic function that passes on a bare closure would
    /// wrap it again.
    private struct Job: Sendable {
        let run: @Sendable (inout Confined) -> Void
    }

    private struct Queue {
        var jobs: [Job] = []
        var next = 0
        var isFinished = false
        var running = 0
        var onEnd: (@Sendable () -> Void)?

        var hasWork: Bool { next < jobs.count || isFinished }

        /// Removes and returns the next job; the array is cleared once all were taken, so that it
        /// stays small.
        mutating func popFirst() -> Job? {
            guard next < jobs.count else { return nil }
            let job = jobs[next]
            next += 1
            if next == jobs.count {
                jobs.removeAll(keepingCapacity: jobs.capacity <= 1024)
                next = 0
            }
            return job
        }
    }

    private let queue = ThreadLock(Queue())
    private let changes = ThreadCondition()
    private let limit: Int

    /// Starts threads.
    ///
    /// - Parameters:
    ///   - count: The number of threads.
    ///   - limit: The maximum number of waiting jobs.
    ///   - spins: The number of times that an idle thread checks for another job before it sleeps,
    ///     provided that the last one arrived recently. Waking a thread takes longer than the usual
    ///     gap between two jobs; between the checks it yields the processor.
    ///   - make: Creates a thread's value, on the thread.
    init(
        count: Int,
        limit: Int,
        spins: Int = 0,
        make: @escaping @Sendable () -> Confined
    ) {
        self.limit = limit
        for _ in 0..<count {
            let main = ThreadMain { [queue, changes] in
                var confined = make()
                var expectsMore = true
                while true {
                    let start = spins > 0 ? LoopClock.monotonicNanoseconds() : 0
                    let soon = expectsMore ? Self.next(queue, spins) : nil
                    let job =
                        soon
                        ?? queue.withLock(waitingOn: changes, until: { $0.hasWork }) {
                            $0.popFirst()
                        }
                    guard let job else { break }
                    if spins > 0 {
                        expectsMore = LoopClock.monotonicNanoseconds() - start < Self.soon
                    }
                    job.run(&confined)
                }
            } afterwards: { [queue] in
                let onEnd = queue.withLock { queue in
                    queue.running -= 1
                    return queue.running == 0 ? queue.onEnd : nil
                }
                onEnd?()
            }
            if main.start() { queue.withLock { $0.running += 1 } }
        }
    }

    /// The time in nanoseconds within which the next job counts as having arrived soon.
    private static var soon: Int64 { 150_000 }

    /// The next job, if it arrives during the checks.
    private static func next(_ queue: ThreadLock<Queue>, _ spins: Int) -> Job? {
        for _ in 0..<spins {
            if let job = queue.withLock({ $0.popFirst() }) { return job }
            sched_yield()
        }
        return nil
    }

    /// The state of a submitted job.
    enum Submission {
        case accepted
        case tooMany
        case finished
    }

    /// Submits a job.
    func submit(_ job: @escaping @Sendable (inout Confined) -> Void) -> Submission {
        let response = queue.withLock { queue in
            guard !queue.isFinished, queue.running > 0 else { return Submission.finished }
            guard queue.jobs.count - queue.next < limit else { return .tooMany }
            queue.jobs.append(Job(run: job))
            return .accepted
        }
        if case .accepted = response { changes.signal() }
        return response
    }

    /// Accepts no more jobs, runs the waiting ones, ends the threads and then calls back, on the
    /// last of them.
    func finish(_ onEnd: @escaping @Sendable () -> Void) {
        let hasEnded = queue.withLock { queue in
            queue.isFinished = true
            guard queue.running > 0 else { return true }
            let earlier = queue.onEnd
            queue.onEnd = {
                earlier?()
                onEnd()
            }
            return false
        }
        changes.broadcast()
        if hasEnded { onEnd() }
    }
}

/// The main function of a new thread.
private final class ThreadMain: Sendable {
    private let body: @Sendable () -> Void
    private let afterwards: @Sendable () -> Void

    init(body: @escaping @Sendable () -> Void, afterwards: @escaping @Sendable () -> Void) {
        self.body = body
        self.afterwards = afterwards
    }

    /// Starts the thread; it is never joined.
    func start() -> Bool {
        var thread = pthread_t()
        let context = Unmanaged.passRetained(self)
        let code = pthread_create(
            &thread,
            nil,
            { context in
                guard let context else { return nil }
                let main = Unmanaged<ThreadMain>.fromOpaque(context).takeRetainedValue()
                main.body()
                main.afterwards()
                return nil
            },
            context.toOpaque()
        )
        guard code == 0 else {
            context.release()
            return false
        }
        pthread_detach(thread)
        return true
    }
}
