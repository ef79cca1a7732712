package import EventLog

extension SQLiteEventStore: CompressibleStore {
    /// Returns the number of the dictionary that new records are compressed with.
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
        return try await writer.transaction { connection in
            guard let added = try SQLiteDictionaries.add(content, on: connection) else {
                throw EventStoreError.limit(name: "recordDictionary")
            }
            return added.id
        }
    }

    /// Compresses some stored records, in one transaction.
    package func compressRecords(
        after position: Int64,
        limit: Int
    ) async throws(EventStoreError) -> CompressedPiece? {
        guard !isReadOnly else { throw .readOnly }
        return try await writer.transaction { connection in
            guard let newest = try Self.newestDictionary(on: connection),
                let recompression = Recompression(newest)
            else { throw EventStoreError.unavailable(reason: "there is no dictionary", code: nil) }
            let piece = try Self.compress(
                recompression,
                after: position,
                limit: limit,
                on: connection
            )
            return piece
        }
    }

    private static func compress(
        _ recompression: Recompression,
        after position: Int64,
        limit: Int,
        on connection: SQLiteConnection
    ) throws -> CompressedPiece? {
        let rows = try connection.statement(
            "SELECT position, record, seq FROM events WHERE position > ?1 ORDER BY position LIMIT ?2"
        )
        let update = try connection.statement("UPDATE events SET record = ?2 WHERE position = ?1")
        rows.bind(position, at: 1)
        rows.bind(Int64(limit), at: 2)
        defer { rows.reset() }
        var piece: CompressedPiece?
        var changes: [(position: Int64, record: [UInt8])] = []
        while (piece?.canonicalBytes ?? 0) < Recompression.maximumBytes, try rows.step() {
            let outcome = try connection.decompressed(rows, 1)
            guard case .record(let canonical) = outcome else {
                throw EventStoreError.corrupt(
                    stream: nil,
                    sequence: rows.sequence(2),
                    reason: outcome.fault ?? ""
                )
            }
            let stored = rows.withBytes(1) { ($0.count, RecordDecompressor.dictionary(of: $0)) }
            var next = piece ?? CompressedPiece(position: 0)
            next.position = rows.integer(0)
            if let compressed = recompression.compress(stored, canonical, &next) {
                changes.append((next.position, compressed))
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
