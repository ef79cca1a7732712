internal import CSQLite
public import EventLog
internal import SwedbankPay

extension SQLiteEventStore {
    /// The version of the schema that this build writes.
    public static var currentSchemaVersion: Int { SQLiteSchema.currentVersion }

    /// The version of SQLite that the program runs with.
    package static var libraryVersion: String { "sqlite/" + String(cString: sqlite3_libversion()) }

    /// Whether the file is a scratch store: what is driven in it may talk to this machine alone.
    ///
    /// - Throws: ``EventStoreError`` when the file cannot be read.
    public func isScratch() async throws(EventStoreError) -> Bool {
        try await readers.read { connection in
            try connection.integer("PRAGMA application_id") == SQLiteSchema.scratchID
        }
    }

    /// The version of the file's schema: older than ``currentSchemaVersion`` until somebody opens the store for writing.
    ///
    /// - Throws: ``EventStoreError`` when the file cannot be read.
    public func schemaVersion() async throws(EventStoreError) -> Int {
        try await readers.read { connection in
            Int(clamping: try connection.integer("PRAGMA user_version") ?? 0)
        }
    }
}
