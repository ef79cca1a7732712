package import EventLog

extension SQLiteEventStore: PackedStore {
    /// Returns the number of the dictionary that new records are packed with.
    package func recordDictionary() async throws(EventStoreError) -> UInt32? {
        try await readers.read { try Self.newestDictionary(on: $0)?.id }
    }

    /// The newest dictionary; `nil` when there is none.
    private static func newestDictionary(
        on connection: SQLiteConnection
    ) throws -> RecordDictionary? {
        switch try SQLiteDictionaries.newest(on: connection) {
        case .none: nil
        case .usable(let dictionary): dictionary
        case .altered(let id): throw RecordDictionary.altered(id)
        }
    }

    /// Adds a dictionary for new records.
    @discardableResult
    package func addRecordDictionary(_ content: [UInt8]) async throws(EventStoreError) -> UInt32 {
        guard !isReadOnly else { throw .readOnly }
        return try await writer.work { connection in
            try connection.execute("BEGIN IMMEDIATE")
            guard let added = try SQLiteDictionaries.add(content, on: connection) else {
                throw EventStoreError.limit(name: "recordDictionary")
            }
            try connection.execute("COMMIT")
            return added.id
        }
    }

    /// Packs some stored records, in one transaction.
    package func packRecords(
        after position: Int64,
        limit: Int
    ) async throws(EventStoreError) -> PackedPiece? {
        guard !isReadOnly else { throw .readOnly }
        return try await writer.work { connection in
            try connection.execute("BEGIN IMMEDIATE")
            guard let newest = try Self.newestDictionary(on: connection),
                let repacking = Repacking(newest)
            else { throw EventStoreError.unavailable(reason: "there is no dictionary", code: nil) }
            let piece = try Self.pack(repacking, after: position, limit: limit, on: connection)
            try connection.execute("COMMIT")
            return piece
        }
    }

    private static func pack(
        _ repacking: Repacking,
        after position: Int64,
        limit: Int,
        on connection: SQLiteConnection
    ) throws -> PackedPiece? {
        let rows = try connection.statement(
            "SELECT position, record, seq FROM events WHERE position > ?1 ORDER BY position LIMIT ?2"
        )
        let update = try connection.statement("UPDATE events SET record = ?2 WHERE position = ?1")
        rows.bind(position, at: 1)
        rows.bind(Int64(limit), at: 2)
        defer { rows.reset() }
        var piece: PackedPiece?
        var changes: [(position: Int64, record: [UInt8])] = []
        while (piece?.canonicalBytes ?? 0) < Repacking.maximumBytes, try rows.step() {
            let outcome = try connection.unpacked(rows, 1)
            guard case .record(let canonical) = outcome else {
                throw EventStoreError.corrupt(
                    stream: nil,
                    sequence: rows.sequence(2),
                    reason: outcome.fault ?? ""
                )
            }
            let stored = rows.withBytes(1) { ($0.count, RecordUnpacker.dictionary(of: $0)) }
            var next = piece ?? PackedPiece(position: 0)
            next.position = rows.integer(0)
            if let packed = repacking.pack(stored, canonical, &next) {
                changes.append((next.position, packed))
            }
            piece = next
        }
        for change in changes {
            update.bind(change.position, at: 1)
            try change.record.withUnsafeBytes { bytes in
                update.bind(lasting: bytes, at: 2)
                try update.writeOne()
            }
        }
        return piece
    }
}
