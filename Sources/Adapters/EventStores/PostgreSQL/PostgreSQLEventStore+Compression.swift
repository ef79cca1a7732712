package import EventLog

extension PostgreSQLEventStore: CompressibleStore {
    private static let toCompress = PQStatement(
        "records_to_compress",
        """
        SELECT position, session, seq, record FROM (
            SELECT position, session::text, seq, record,
                sum(octet_length(record)) OVER (ORDER BY position) - octet_length(record) AS before
            FROM events WHERE position > $1 ORDER BY position LIMIT $2) AS e
        WHERE before < $3 ORDER BY position
        """,
        .integer,
        .integer,
        .integer
    )
    private static let replaceRecords = PQStatement(
        "records_compress",
        """
        UPDATE events e SET record = i.record FROM unnest($1, $2, $3) AS i (session, seq, record)
        WHERE e.session = i.session AND e.seq = i.seq
        """,
        .identities,
        .integers,
        .blobs
    )

    /// Returns the number of the dictionary that new records are compressed with.
    package func recordDictionary() async throws(EventStoreError) -> UInt32? {
        try await newestDictionary()?.id
    }

    /// The newest dictionary; `nil` when there is none.
    private func newestDictionary() async throws(EventStoreError) -> RecordDictionary? {
        let found = try await rows(PQCommand(PostgreSQLDictionaries.newest))[0]
        guard found.count > 0 else { return nil }
        guard let dictionary = PostgreSQLDictionaries.dictionary(in: found, 0) else {
            throw RecordDictionary.altered(found.integer(0, 0) ?? 0)
        }
        return dictionary
    }

    /// Adds a dictionary for new records.
    @discardableResult
    package func addRecordDictionary(_ content: [UInt8]) async throws(EventStoreError) -> UInt32 {
        guard let dictionary = RecordDictionary(trained: content) else {
            throw .limit(name: "recordDictionary")
        }
        try await requireReaders()
        _ = try await change([
            PQCommand(
                PostgreSQLDictionaries.add,
                .integer(Int64(dictionary.id)),
                .bytes(dictionary.content),
                .bytes(dictionary.digest.bytes)
            )
        ])
        await writer.forgetCompressor()
        return dictionary.id
    }

    /// Throws when a role could read the records, but not the dictionaries that they would need.
    private func requireReaders() async throws(EventStoreError) {
        let found = try await rows(PQCommand(PostgreSQLDictionaries.rolesWithoutRight))[0]
        let names = (0..<found.count).compactMap { found.text($0, 0) }
        guard names.isEmpty else {
            throw .missingRight(
                reason: "these roles may read the table events, but not record_dictionaries: "
                    + names.joined(separator: ", ")
            )
        }
    }

    /// Compresses some stored records, in one transaction.
    ///
    /// Another process that compresses at the same time may replace a record in between, by another
    /// form of the same bytes.
    package func compressRecords(
        after position: Int64,
        limit: Int
    ) async throws(EventStoreError) -> CompressedPiece? {
        guard let newest = try await newestDictionary(), let recompression = Recompression(newest)
        else {
            throw .unavailable(reason: "there is no dictionary", code: nil)
        }
        if position <= 0 { try await requireReaders() }
        let found = try await rows(
            PQCommand(
                Self.toCompress,
                .integer(position),
                .integer(Int64(max(0, limit))),
                .integer(Recompression.maximumBytes)
            )
        )[0]
        guard found.count > 0 else { return nil }
        let decompressor = try await decompressor(for: found)
        var piece = CompressedPiece(position: position)
        var sessions = PQArrayWriter(of: .identity, capacity: 20 * found.count)
        var places = PQArrayWriter(of: .integer, capacity: 12 * found.count)
        var records = PQArrayWriter(of: .bytes, capacity: 300 * found.count)
        for row in 0..<found.count where piece.canonicalBytes < Recompression.maximumBytes {
            let session = found.text(row, 1).flatMap { SessionID($0) }
            let outcome = found.withBytes(row, Self.recordColumn) { decompressor.decompress($0) }
            guard let session, case .record(let canonical) = outcome else {
                throw .corrupt(
                    stream: session,
                    sequence: found.sequence(row, 2),
                    reason: outcome.fault ?? "it belongs to no session"
                )
            }
            piece.position = max(piece.position, found.integer(row, 0) ?? position)
            let stored = found.withBytes(row, Self.recordColumn) {
                ($0.count, RecordDecompressor.dictionary(of: $0))
            }
            guard let compressed = recompression.compress(stored, canonical, &piece) else {
                continue
            }
            sessions.append(session)
            places.append(found.integer(row, 2))
            records.append(compressed)
        }
        guard piece.changed > 0 else { return piece }
        var command = PQCommand(Self.replaceRecords)
        command.values = [sessions.finish(), places.finish(), records.finish()]
        guard try await change([command])[0].changed == Int(piece.changed) else { throw .busy }
        return piece
    }
}
