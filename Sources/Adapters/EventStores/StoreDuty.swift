/// The duty of a role of the database, which decides what rights it needs.
public enum StoreDuty: String, Hashable, Sendable, CaseIterable {
    /// Runs an engine: adds events, sessions and keys.
    case engine
    /// Reads everything but the keys.
    case reading
    /// Reads everything but the keys, and creates checkpoints.
    case checkpoints
    /// Has the rights of an engine, and replaces and destroys the keys of sessions.
    case erasing
}
