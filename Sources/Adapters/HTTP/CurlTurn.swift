/// The processor time used since libcurl was last given control.
///
/// Processor time rather than wall time: a process that was stopped, or that waits for a busy
/// machine, has not blocked anything by its own work.
///
/// - Note: Isolation: all members on the loop.
final class CurlTurn {
    private var start: Int64 = 0

    /// Starts the measurement.
    func begin() { start = LoopClock.threadNanoseconds() }

    /// Whether libcurl has worked longer than a limit since the start.
    func isLonger(than limit: Duration) -> Bool {
        .nanoseconds(LoopClock.threadNanoseconds() - start) > limit
    }
}
