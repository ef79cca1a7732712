/// The access with which a store is opened.
public enum StoreAccess: Hashable, Sendable {
    /// Reads and writes; creates the file or the tables if they are missing, and upgrades them.
    case createIfMissing
    /// Reads and writes an existing store; on a server, its tables must be current.
    case existing
    /// Appends nothing; brings lists and sums up to date before they are read, if the file or the
    /// role permits it.
    case reading
    /// Reads only; never creates or changes a store.
    case readOnly

    /// Whether records are appended.
    var appends: Bool { self == .createIfMissing || self == .existing }
}
