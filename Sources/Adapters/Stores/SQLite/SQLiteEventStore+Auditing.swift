public import EventLog
public import SwedbankPay

extension SQLiteEventStore {
    /// Reads records of all sessions in the order in which they were stored.
    ///
    /// There is one writer at a time, so a place that was read is behind every place that will be written.
    public func records(
        after position: Int64,
        limit: Int
    ) async throws(EventStoreError) -> [PositionedRecord] {
        try await readers.read { connection in
            guard limit > 0 else { return [] }
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
            while try rows.step() {
                guard let stream = rows.text(1).flatMap({ SessionID($0) }) else {
                    throw EventStoreError.corrupt(
                        stream: nil,
                        sequence: rows.integer(2),
                        reason: "the record at position \(rows.integer(0)) belongs to no session"
                    )
                }
                let record = try SQLiteRows.record(in: rows, of: stream, from: 2)
                records.append(PositionedRecord(position: rows.integer(0), record: record))
            }
            return records
        }
    }

    /// What SQLite finds when it checks the file's structure, indexes and references.
    ///
    /// - Returns: The faults in SQLite's words, at most `limit`; none for a sound file.
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
            // Of the current schema version alone it is known what it has to be like.
            if try connection.integer("PRAGMA user_version") == Int64(SQLiteSchema.currentVersion) {
                faults += try SQLiteStructure.faults(in: connection)
            }
            return Array(faults.prefix(max(1, limit)))
        }
    }

    /// What of the tables is not as this build makes them: triggers and views of somebody else, and altered tables.
    ///
    /// - Returns: The faults in words; none for a sound file, nor for one of an older schema version.
    package func schemaFaults() async throws(EventStoreError) -> [String] {
        try await readers.read { connection in
            guard
                try connection.integer("PRAGMA user_version") == Int64(SQLiteSchema.currentVersion)
            else { return [] }
            return try SQLiteStructure.faults(in: connection)
        }
    }
}

extension SQLiteEventStore: ScratchStore, MovableStore, AuditedStore {
    /// None: a row is found by the fingerprint that it has.
    public func addressFaults(limit: Int) async throws(EventStoreError) -> [StoreFault] { [] }

    /// Begins an audit, or takes one up again.
    public func audit(
        by decider: SessionDecider,
        build: String?,
        vault: (any KeyVault)?,
        from mark: StoreAuditMark?
    ) async throws(EventStoreError) -> StoreAudit {
        try await StoreAudit(of: self, by: decider, build: build, vault: vault, from: mark)
    }
}
