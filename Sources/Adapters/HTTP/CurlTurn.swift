/// The time since libcurl was last given control.
///
/// Processor time, since a process that was stopped or waits for a busy machine has not kept anybody waiting by its work.
///
/// - Note: Isolation: on the loop, every member.
final class CurlTurn {
    private var start: Int64 = 0

    /// libcurl begins to work.
    func begin() { start = LoopClock.threadNanoseconds() }

    /// Whether libcurl has worked for longer than this since it began.
    func isLonger(than limit: Duration) -> Bool {
        .nanoseconds(LoopClock.threadNanoseconds() - start) > limit
    }
}
