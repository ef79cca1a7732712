internal import Workflow

extension SessionSummary {
    /// The phase, and that the session came from elsewhere.
    var phaseText: String { phase.rawValue + (origin == .imported ? ", imported" : "") }
}
