public import EventLog

extension PostgreSQLEventStore {
    /// The column of the record in the rows of all statements that read records.
    static let recordColumn: Int32 = 3

    private static let records = PQStatement(
        "records",
        """
        SELECT seq, type, at, record, prev, hash, seals, mac FROM events
        WHERE session = $1::text::uuid AND seq >= $2 ORDER BY seq LIMIT $3
        """,
        .text,
        .integer,
        .integer
    )
    private static let head = PQStatement(
        "head",
        "SELECT seq, hash FROM events WHERE session = $1::text::uuid ORDER BY seq DESC LIMIT 1",
        .text
    )
    private static let key = PQStatement(
        "key",
        "SELECT wrapped FROM session_keys WHERE session = $1::text::uuid",
        .text
    )

    /// Reads records of a session in order.
    public func read(
        _ stream: SessionID,
        from first: SequenceNumber,
        limit: Int
    ) async throws(EventStoreError) -> [StoredRecord] {
        try checkOpen()
        guard limit > 0 else { return [] }
        return try await records(in: try await rows(reading(stream, first, limit))[0], of: stream)
    }

    private func reading(_ stream: SessionID, _ first: SequenceNumber, _ limit: Int) -> PQCommand {
        PQCommand(Self.records, .text("\(stream)"), .sequence(first), .integer(Int64(limit)))
    }

    /// Reads everything that is needed to load a session, in one read.
    public func beginning(
        of stream: SessionID,
        limit: Int
    ) async throws(EventStoreError) -> LogBeginning {
        // The row first: what is appended in between is then among the records, though not in the
        // row.
        let found = try await rows(
            PQCommand(Self.key, .text("\(stream)")),
            PQCommand(lists.row, .text("\(stream)")),
            reading(stream, 1, max(0, limit))
        )
        return LogBeginning(
            wrappedKey: found[0].count > 0 ? found[0].bytes(0, 0) : nil,
            row: found[1].count > 0 ? try summary(in: found[1], 0) : nil,
            records: try await records(in: found[2], of: stream)
        )
    }

    private func records(
        in rows: PQRows,
        of stream: SessionID
    ) async throws(EventStoreError) -> [StoredRecord] {
        let decompressor = try await decompressor(for: rows)
        var records: [StoredRecord] = []
        records.reserveCapacity(rows.count)
        var bytes = 0
        for row in 0..<rows.count {
            let record = try Self.record(in: rows, row, of: stream, by: decompressor)
            try RecordDecompressor.count(record, &bytes)
            records.append(record)
        }
        return records
    }

    /// What restores the records in some rows.
    func decompressor(for records: PQRows) async throws(EventStoreError) -> RecordDecompressor {
        try await dictionaries.decompressor(for: records, Self.recordColumn) {
            numbers async throws(EventStoreError) in
            try await rows(PQCommand(PostgreSQLDictionaries.some, .integers(numbers)))[0]
        }
    }

    static func record(
        in rows: PQRows,
        _ row: Int,
        of stream: SessionID,
        by decompressor: RecordDecompressor
    ) throws(EventStoreError) -> StoredRecord {
        guard let sequence = rows.sequence(row, 0), let type = rows.text(row, 1),
            let at = rows.integer(row, 2),
            let previous = rows.withBytes(row, 4, Digest256.init(stored:)),
            let hash = rows.withBytes(row, 5, Digest256.init(stored:)),
            let seals = rows.withBytes(row, 6, SQLiteRows.seals(from:)),
            rows.isNull(row, 7) || rows.withBytes(row, 7, Digest256.init(stored:)) != nil
        else {
            throw .corrupt(
                stream: stream,
                sequence: rows.sequence(row, 0),
                reason: "the row does not hold a record"
            )
        }
        let outcome = rows.withBytes(row, recordColumn) { decompressor.decompress($0) }
        guard case .record(let canonical) = outcome else {
            throw .corrupt(stream: stream, sequence: sequence, reason: outcome.fault ?? "")
        }
        return StoredRecord(
            stream: stream,
            sequence: sequence,
            type: type,
            at: Instant(microseconds: at),
            canonical: canonical,
            previous: previous,
            hash: hash,
            mac: rows.isNull(row, 7) ? nil : rows.withBytes(row, 7, Digest256.init(stored:)),
            seals: seals
        )
    }

    /// Returns the end of a session's log; `nil` for an unknown session.
    public func head(of stream: SessionID) async throws(EventStoreError) -> StreamHead? {
        let found = try await rows(PQCommand(Self.head, .text("\(stream)")))[0]
        guard let sequence = found.sequence(0, 0) else { return nil }
        guard let hash = found.withBytes(0, 1, Digest256.init(stored:)) else {
            throw .corrupt(
                stream: stream,
                sequence: sequence,
                reason: "the hash has a wrong length"
            )
        }
        return StreamHead(sequence: sequence, hash: hash)
    }

    /// Returns the wrapped data key of a session; `nil` for an unknown or erased session.
    public func wrappedKey(of stream: SessionID) async throws(EventStoreError) -> [UInt8]? {
        let found = try await rows(PQCommand(Self.key, .text("\(stream)")))[0]
        return found.count > 0 ? found.bytes(0, 0) : nil
    }
}
