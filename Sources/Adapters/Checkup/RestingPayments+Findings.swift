internal import EventLog
internal import Inspection

extension RestingPayments {
    /// The finding about payments that nobody reads; `nil` when there are none.
    var finding: Finding? {
        guard !sessions.isEmpty else { return nil }
        let isOne = sessions.count == 1
        return Finding(
            .sessions,
            .bad,
            "\(sessions.count) payment\(isOne ? " rests" : "s rest") with money under way or unknown: "
                + "the engine gave up reading \(isOne ? "it" : "them"), or nothing is scheduled",
            advice:
                "check that the PSP can be reached ('doctor --psp URL'); once it responds, a service or "
                + "'workflowctl resume' reads \(isOne ? "it" : "them") again, and 'retry' does so at once"
        )
    }
}

extension AheadLogs {
    /// The finding about logs that end in the future; `nil` when there are none.
    var finding: Finding? {
        guard count > 0 else { return nil }
        return Finding(
            .sessions,
            .bad,
            "the log\(count == 1 ? " of one session ends" : "s of \(count) sessions end") "
                + "up to \(longest.spoken) later than this machine's clock",
            advice: "this clock was set back or another node's clock is ahead; compare them"
        )
    }
}
