/// The access with which a store is opened.
public enum StoreAccess: Hashable, Sendable {
    /// Reads and writes; creates the file or the tables if they are missing, and upgrades them.
    case createIfMissing
    /// Reads and writes an existing store; on a server, its tables must be current.
    case existing
    /// Reads only; never creates or changes a store.
    case readOnly
}
