internal import Glibc

/// The clocks that adapters may read; the pure layers receive time as an input.
///
/// - Note: Isolation: any.
public enum LoopClock {
    /// Reads the wall clock: microseconds since 1970-01-01 00:00 UTC; it may be set back.
    public static func wallMicroseconds() -> Int64 {
        let now = read(CLOCK_REALTIME)
        return Int64(now.tv_sec) * 1_000_000 + Int64(now.tv_nsec) / 1_000
    }

    /// Reads the monotonic clock: nanoseconds since a fixed moment before this process; never goes
    /// back.
    public static func monotonicNanoseconds() -> Int64 {
        let now = read(CLOCK_MONOTONIC)
        return Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec)
    }

    /// Reads the processor time that the calling thread has used, in nanoseconds.
    public static func threadNanoseconds() -> Int64 {
        let now = read(CLOCK_THREAD_CPUTIME_ID)
        return Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec)
    }

    /// The time elapsed since a reading of ``monotonicNanoseconds()``.
    public static func elapsed(since nanoseconds: Int64) -> Duration {
        .nanoseconds(monotonicNanoseconds() - nanoseconds)
    }

    private static func read(_ clock: clockid_t) -> timespec {
        var now = timespec()
        clock_gettime(clock, &now)
        return now
    }
}

extension Duration {
    /// The duration in whole milliseconds, rounded up so that no wait is too short; 0 when
    /// negative.
    package var millisecondsRoundedUp: UInt64 {
        let (seconds, attoseconds) = components
        guard seconds >= 0, attoseconds >= 0 else { return 0 }
        let (whole, overflow) = UInt64(seconds).multipliedReportingOverflow(by: 1_000)
        guard !overflow else { return UInt64(Int64.max) }
        let part = UInt64((attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
        return min(whole &+ part, UInt64(Int64.max))
    }
}
