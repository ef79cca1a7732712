internal import SwedbankPay

/// Which operator actions are recorded in the logs.
struct AuditPolicy: Hashable, Sendable {
    /// Whether each access to sealed values is recorded.
    var recordsReveal = false
    /// Whether each intervention is recorded.
    var recordsInterventions = false
    /// Whether what is recorded requires a reason.
    var requiresReason = false
}

/// How long sealed values are kept after the end of a session.
struct RetentionPolicy: Hashable, Sendable {
    /// The period for every outcome without its own; `nil` keeps sessions forever.
    var period: Duration?
    /// The periods for sessions with an outcome.
    var byOutcome: [Outcome: Duration] = [:]

    /// Returns the retention period of a session with this outcome; `nil` means forever.
    func period(for outcome: Outcome) -> Duration? { byOutcome[outcome] ?? period }

    /// The shortest period of any outcome; `nil` when everything is kept forever.
    var shortest: Duration? { Outcome.allCases.compactMap(period(for:)).min() }
}

/// Where the master keys are configured to be.
struct KeyPolicy: Hashable, Sendable {
    /// A line of shell that prints them.
    var command: String?
    /// The file that contains them.
    var file: String?
}
