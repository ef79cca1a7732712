package import EventLog

extension PostgreSQLEventStore: PackedStore {
    private static let toPack = PQStatement(
        "records_to_pack",
        """
        SELECT position, session::text, seq, record FROM events WHERE position > $1
        ORDER BY position LIMIT $2
        """,
        .integer,
        .integer
    )
    private static let replaceRecords = PQStatement(
        "records_pack",
        """
        UPDATE events e SET record = i.record FROM unnest($1, $2, $3) AS i (session, seq, record)
        WHERE e.session = i.session AND e.seq = i.seq
        """,
        .identities,
        .integers,
        .blobs
    )

    /// Returns the number of the dictionary that new records are packed with.
    package func recordDictionary() async throws(EventStoreError) -> UInt32? {
        try await newestDictionary()?.id
    }

    private func newestDictionary() async throws(EventStoreError) -> RecordDictionary? {
        let found = try await rows(PQCommand(PostgreSQLDictionaries.newest))[0]
        return found.count > 0 ? PostgreSQLDictionaries.dictionary(in: found, 0) : nil
    }

    /// Adds a dictionary for new records.
    @discardableResult
    package func addRecordDictionary(_ content: [UInt8]) async throws(EventStoreError) -> UInt32 {
        let newest = try await change([PQCommand(PostgreSQLDictionaries.newestNumber)])[0]
        let number = (newest.integer(0, 0) ?? 0) + 1
        guard let dictionary = RecordDictionary(trained: content, as: number) else {
            throw .limit(name: "recordDictionary")
        }
        _ = try await change([
            PQCommand(
                PostgreSQLDictionaries.add,
                .integer(number),
                .bytes(dictionary.content),
                .bytes(dictionary.digest.bytes)
            )
        ])
        await writer.forgetPacker()
        return dictionary.id
    }

    /// Packs some stored records, in one transaction.
    ///
    /// What was read cannot have changed in between: no one else changes stored records.
    package func packRecords(
        after position: Int64,
        limit: Int
    ) async throws(EventStoreError) -> PackedPiece? {
        guard let newest = try await newestDictionary(), let repacking = Repacking(newest) else {
            throw .unavailable(reason: "there is no dictionary", code: nil)
        }
        let found = try await rows(
            PQCommand(Self.toPack, .integer(position), .integer(Int64(max(0, limit))))
        )[0]
        guard found.count > 0 else { return nil }
        let unpacker = try await unpacker(for: found)
        var piece = PackedPiece(position: position)
        var sessions = PQArrayWriter(of: .identity, capacity: 20 * found.count)
        var places = PQArrayWriter(of: .integer, capacity: 12 * found.count)
        var records = PQArrayWriter(of: .bytes, capacity: 300 * found.count)
        for row in 0..<found.count {
            let session = found.text(row, 1).flatMap { SessionID($0) }
            let outcome = found.withBytes(row, Self.recordColumn) { unpacker.unpack($0) }
            guard let session, case .record(let canonical) = outcome else {
                throw .corrupt(
                    stream: session,
                    sequence: found.sequence(row, 2),
                    reason: outcome.fault ?? "it belongs to no session"
                )
            }
            piece.position = max(piece.position, found.integer(row, 0) ?? position)
            let stored = found.withBytes(row, Self.recordColumn) {
                ($0.count, RecordUnpacker.dictionary(of: $0))
            }
            guard let packed = repacking.pack(stored, canonical, &piece) else { continue }
            sessions.append(session)
            places.append(found.integer(row, 2))
            records.append(packed)
        }
        guard piece.changed > 0 else { return piece }
        var command = PQCommand(Self.replaceRecords)
        command.values = [sessions.finish(), places.finish(), records.finish()]
        _ = try await change([command])
        return piece
    }
}
