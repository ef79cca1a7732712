internal import EventLog
internal import SwedbankPay

extension SessionSummary {
    /// The phase, and that the session came from elsewhere.
    var phaseText: String { phase + (origin == .imported ? ", imported" : "") }
}
