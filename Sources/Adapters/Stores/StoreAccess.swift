/// What may be done to a store.
public enum StoreAccess: Hashable, Sendable {
    /// Reads and writes; makes the file or the tables when there are none, and upgrades them.
    case createIfMissing
    /// Reads and writes a store that is there; on a server its tables have to be current.
    case existing
    /// Reads only; never makes or alters a store.
    case readOnly
}
