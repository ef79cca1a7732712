internal import SwedbankPay

/// What of people's acts is recorded in the logs.
struct AuditPolicy: Hashable, Sendable {
    /// Whether each access to sealed values is recorded.
    var recordsReveal = false
    /// Whether each intervention is.
    var recordsInterventions = false
    /// Whether a reason has to be given for what is recorded.
    var requiresReason = false
}

/// How long sealed values are kept after the end of a session.
struct RetentionPolicy: Hashable, Sendable {
    /// The period for every outcome without its own; `nil` keeps sessions forever.
    var period: Duration?
    /// For sessions that ended like this.
    var byOutcome: [Outcome: Duration] = [:]

    /// Returns the retention period of a session with this outcome; `nil` means forever.
    func period(for outcome: Outcome) -> Duration? { byOutcome[outcome] ?? period }

    /// The shortest period of any outcome; `nil` when everything is kept forever.
    var shortest: Duration? { Outcome.allCases.compactMap(period(for:)).min() }
}

/// Where the configuration has the master keys from.
struct KeyPolicy: Hashable, Sendable {
    /// A line of shell that writes them.
    var command: String?
    /// The file that holds them.
    var file: String?
}
