/// Which actions of operators are recorded in the logs.
struct AuditPolicy: Hashable, Sendable {
    /// Whether each access to sealed values is recorded.
    var recordsReveal = false
    /// Whether each intervention is recorded.
    var recordsInterventions = false
    /// Whether a reason is required for recorded actions.
    var requiresReason = false
    /// Whether what a person found out about unknown money counts only once another confirms it.
    var requiresSecondPerson = false
}

/// The location of the master keys in the configuration.
struct KeyPolicy: Hashable, Sendable {
    /// A shell command that prints them.
    var command: String?
    /// The file that contains them.
    var file: String?
}
