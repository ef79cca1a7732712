internal import SwedbankPay

/// Which actions of operators are recorded in the logs.
struct AuditPolicy: Hashable, Sendable {
    /// Whether each access to sealed values is recorded.
    var recordsReveal = false
    /// Whether each intervention is recorded.
    var recordsInterventions = false
    /// Whether a reason is required for recorded actions.
    var requiresReason = false
}

/// The retention period of sealed values after the end of a session.
struct RetentionPolicy: Hashable, Sendable {
    /// The period for every outcome without its own; `nil` keeps sessions forever.
    var period: Duration?
    /// The periods for single outcomes.
    var byOutcome: [Outcome: Duration] = [:]

    /// Returns the retention period of a session with this outcome; `nil` means forever.
    func period(for outcome: Outcome) -> Duration? { byOutcome[outcome] ?? period }

    /// The shortest period of any outcome; `nil` when everything is kept forever.
    var shortest: Duration? { Outcome.allCases.compactMap(period(for:)).min() }
}

/// The location of the master keys in the configuration.
struct KeyPolicy: Hashable, Sendable {
    /// A shell command that prints them.
    var command: String?
    /// The file that contains them.
    var file: String?
}
