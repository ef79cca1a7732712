package import EventLog
package import SwedbankPay

extension SessionDecider {
    /// Returns why a session may not be retried; `nil` where it may.
    package func retryRefusal(in state: SessionState, at now: Instant) -> Rejection? {
        // What an operator found out at the PSP is not tried again.
        guard state.money.taken?.evidence != .person else { return Rejection.nothingToRetry }
        do throws(Rejection) {
            // Who retries makes no difference to whether it is possible.
            let events = try decide(
                .command(.retry(by: "operator")),
                in: state,
                at: max(now, state.lastAt)
            )
            return events.isEmpty ? Rejection.nothingToRetry : nil
        } catch {
            return error
        }
    }
}
