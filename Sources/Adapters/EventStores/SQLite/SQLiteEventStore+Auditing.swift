public import EventLog

extension SQLiteEventStore {
    /// Reads records of all sessions in storage order.
    ///
    /// There is one writer at a time, so every position that will be written is after every
    /// position that was read.
    public func records(
        after cursor: LogCursor?,
        limit: Int
    ) async throws(EventStoreError) -> [PositionedRecord] {
        try await readers.read { connection in
            // Read each time: another process may have adopted the store.
            let identity = try SQLiteLineage(connection).identity()
            let position = try cursor?.position(in: identity) ?? 0
            guard limit > 0 else { return [] }
            let records = try Self.records(
                of: identity,
                after: position,
                limit: limit,
                on: connection
            )
            if records.isEmpty { try Self.refuse(position, ifBeyondEndOn: connection) }
            return records
        }
    }

    private static func records(
        of store: StoreIdentity,
        after position: Int64,
        limit: Int,
        on connection: SQLiteConnection
    ) throws -> [PositionedRecord] {
        let rows = try connection.statement(
            """
            SELECT position, (SELECT id FROM sessions WHERE key = events.session),
                \(SQLiteRows.recordColumns)
            FROM events WHERE position > ?1 ORDER BY position LIMIT ?2
            """
        )
        defer { rows.reset() }
        rows.bind(position, at: 1)
        rows.bind(Int64(limit), at: 2)
        var records: [PositionedRecord] = []
        var bytes = 0
        while try rows.step() {
            guard let stream = rows.text(1).flatMap({ SessionID($0) }) else {
                throw EventStoreError.corrupt(
                    stream: nil,
                    sequence: rows.sequence(2),
                    reason: "the record at position \(rows.integer(0)) belongs to no session"
                )
            }
            let record = try SQLiteRows.record(in: rows, of: stream, from: 2, on: connection)
            try RecordDecompressor.count(record, &bytes)
            let cursor = LogCursor(store: store, position: rows.integer(0))
            records.append(PositionedRecord(cursor: cursor, record: record))
        }
        return records
    }

    /// Checks the file's structure, indexes and references with SQLite.
    ///
    /// - Returns: SQLite's descriptions of the faults, at most `limit`; empty for an intact file.
    public func structuralFaults(limit: Int = 100) async throws(EventStoreError) -> [String] {
        try await readers.read { connection in
            var faults: [String] = []
            let check = try connection.statement("PRAGMA integrity_check(\(max(1, limit)))")
            defer { check.reset() }
            while try check.step() {
                if let words = check.text(0), words != "ok" { faults.append(words) }
            }
            let references = try connection.statement("PRAGMA foreign_key_check")
            defer { references.reset() }
            while faults.count < limit, try references.step() {
                faults.append("a row of \(references.text(0) ?? "?") refers to nothing")
            }
            // The expected structure is known for the current schema version only.
            if try connection.integer("PRAGMA user_version") == Int64(SQLiteSchema.currentVersion) {
                faults += try SQLiteStructure.faults(in: connection)
                faults += try SQLiteDictionaries.faults(on: connection, limit: limit)
            }
            return Array(faults.prefix(max(1, limit)))
        }
    }

    /// Returns the sessions of the store in the order of their identities, in batches.
    ///
    /// - Parameters:
    ///   - session: The last session of the previous batch; `nil` for the first batch.
    ///   - limit: The maximum number of sessions.
    /// - Returns: The sessions.
    /// - Throws: ``EventStoreError``.
    public func sessionIdentities(
        after session: SessionID?,
        limit: Int
    ) async throws(EventStoreError) -> [SessionID] {
        try await readers.read { connection in
            let rows = try connection.statement(
                "SELECT id FROM sessions WHERE id > ?1 ORDER BY id LIMIT ?2"
            )
            defer { rows.reset() }
            rows.bind(text: session?.description ?? "", at: 1)
            rows.bind(Int64(max(0, limit)), at: 2)
            var sessions: [SessionID] = []
            while try rows.step() { sessions.append(try SQLiteRows.session(in: rows)) }
            return sessions
        }
    }

    /// Checks whether the tables differ from those that this build creates: foreign triggers and
    /// views, and altered tables.
    ///
    /// - Returns: Descriptions of the faults; empty for an intact file, and for one of an older
    ///   schema version.
    package func schemaFaults() async throws(EventStoreError) -> [String] {
        try await readers.read { connection in
            guard
                try connection.integer("PRAGMA user_version") == Int64(SQLiteSchema.currentVersion)
            else { return [] }
            return try SQLiteStructure.faults(in: connection)
        }
    }
}

extension SQLiteEventStore: MovableStore {
    /// Always empty: a row is found by its own fingerprint.
    public func addressFaults(limit: Int) async throws(EventStoreError) -> [StoreFault] { [] }
}
