/// The processor time used since libcurl was last given control.
///
/// Processor time rather than wall time: a process that was stopped, or that waits for a busy
/// machine, has not blocked anything by its own work.
///
/// - Note: Isolation: all members on the loop.
final class CurlTurn {
    private var start: Int64 = 0
    private var beginning: Int64 = 0

    /// Starts the measurement.
    func begin() {
        start = LoopClock.threadNanoseconds()
        beginning = LoopClock.monotonicNanoseconds()
    }

    /// Whether libcurl has worked longer than a limit since the start.
    ///
    /// It cannot have worked longer than time has passed, which is read without a system call.
    func isLonger(than limit: Duration) -> Bool {
        LoopClock.elapsed(since: beginning) > limit
            && .nanoseconds(LoopClock.threadNanoseconds() - start) > limit
    }
}
