import Glibc

/// Measures processor time.
enum Work {
    /// Returns the thread's processor time for a function in nanoseconds, the minimum of several
    /// runs.
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
