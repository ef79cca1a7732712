internal import SwedbankPay

/// What of people's acts is recorded in the logs.
struct AuditPolicy: Hashable, Sendable {
    /// Whether each look at sealed values is.
    var recordsReveal = false
    /// Whether each intervention is.
    var recordsInterventions = false
    /// Whether a reason has to be given for what is recorded.
    var requiresReason = false
}

/// How long sealed values are kept after the end of a session.
struct RetentionPolicy: Hashable, Sendable {
    /// For every outcome without a period of its own; nothing keeps them for ever.
    var period: Duration?
    /// For sessions that ended like this.
    var byOutcome: [Outcome: Duration] = [:]

    /// How long those of a session that ended like this are kept; nothing when for ever.
    func period(for outcome: Outcome) -> Duration? { byOutcome[outcome] ?? period }

    /// The shortest period of any outcome; nothing when everything is kept for ever.
    var shortest: Duration? { Outcome.allCases.compactMap(period(for:)).min() }
}

/// Where the configuration has the master keys from.
struct KeyPolicy: Hashable, Sendable {
    /// A line of shell that writes them.
    var command: String?
    /// The file that holds them.
    var file: String?
}
