import Glibc

/// Measures the processor time of work.
enum Work {
    /// Returns the processor time of this thread in nanoseconds: the least of several runs.
    static func nanoseconds(_ times: Int = 3, _ body: () -> Void) -> Int {
        (0..<times).map { _ in
            let start = now()
            body()
            return now() - start
        }.min() ?? 0
    }

    private static func now() -> Int {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }
}
