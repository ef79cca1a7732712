public import EventLog

extension SQLiteEventStore {
    /// The version of the schema that this build writes.
    public static var currentSchemaVersion: Int { SQLiteSchema.currentVersion }

    /// Returns whether the file is a scratch store: sessions driven in it may communicate with this
    /// machine only.
    ///
    /// - Throws: ``EventStoreError`` when the file cannot be read.
    public func isScratch() async throws(EventStoreError) -> Bool {
        try await readers.read { connection in
            try connection.integer("PRAGMA application_id") == SQLiteSchema.scratchID
        }
    }

    /// Returns the version of the file's schema, which stays below ``currentSchemaVersion`` until
    /// the store is opened for writing.
    ///
    /// - Throws: ``EventStoreError`` when the file cannot be read.
    public func schemaVersion() async throws(EventStoreError) -> Int {
        try await readers.read { connection in
            Int(clamping: try connection.integer("PRAGMA user_version") ?? 0)
        }
    }
}
