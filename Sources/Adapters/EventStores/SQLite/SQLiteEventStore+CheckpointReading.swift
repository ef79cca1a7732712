public import EventLog

extension SQLiteEventStore {
    /// Returns the checkpoints from a size on, in order.
    ///
    /// - Parameters:
    ///   - size: The smallest size.
    ///   - limit: The maximum number of checkpoints.
    /// - Returns: The checkpoints.
    /// - Throws: ``EventStoreError``.
    public func checkpoints(
        from size: Int,
        limit: Int
    ) async throws(EventStoreError) -> [StoredCheckpoint] {
        try await readers.read { connection in
            let rows = try connection.statement(
                """
                SELECT \(SQLiteRows.checkpointColumns) FROM checkpoints
                WHERE size >= ?1 ORDER BY size LIMIT ?2
                """
            )
            defer { rows.reset() }
            rows.bind(Int64(size), at: 1)
            rows.bind(Int64(max(0, limit)), at: 2)
            var checkpoints: [StoredCheckpoint] = []
            while try rows.step() { checkpoints.append(try SQLiteRows.checkpoint(in: rows)) }
            return checkpoints
        }
    }

    /// Returns the newest checkpoint, if there is one.
    public func newestCheckpoint() async throws(EventStoreError) -> StoredCheckpoint? {
        try await readers.read { try Self.newestCheckpoint(on: $0) }
    }

    /// Returns the leaves from an index on, in order, each with what the store has at that
    /// position.
    ///
    /// - Parameters:
    ///   - place: The first index, from 0.
    ///   - limit: The maximum number of leaves.
    /// - Returns: The leaves.
    /// - Throws: ``EventStoreError``.
    public func checkpointLeaves(
        from place: Int,
        limit: Int
    ) async throws(EventStoreError) -> [PlacedLeaf] {
        try await readers.read { connection in
            let rows = try connection.statement(
                Self.placedLeaves + " WHERE leaf.place >= ?1 ORDER BY leaf.place LIMIT ?2"
            )
            defer { rows.reset() }
            rows.bind(Int64(place), at: 1)
            rows.bind(Int64(max(0, limit)), at: 2)
            var leaves: [PlacedLeaf] = []
            while try rows.step() { leaves.append(try SQLiteRows.placedLeaf(in: rows)) }
            return leaves
        }
    }

    /// Returns a session's newest leaf below an index, with what the store has at that position.
    public func newestLeaf(
        of session: SessionID,
        below place: Int = .max
    ) async throws(EventStoreError) -> PlacedLeaf? {
        try await readers.read { try Self.newestLeaf(of: session, below: place, on: $0) }
    }

    private static let placedLeaves = """
        SELECT leaf.stream, leaf.seq, leaf.hash, leaf.place, sessions.key IS NOT NULL,
            events.hash IS NOT NULL, events.hash IS leaf.hash
        FROM checkpoint_leaves AS leaf
            LEFT JOIN sessions ON sessions.id = leaf.stream
            LEFT JOIN events ON events.session = sessions.key AND events.seq = leaf.seq
        """

    static func newestLeaf(
        of session: SessionID,
        below place: Int,
        on connection: SQLiteConnection
    ) throws -> PlacedLeaf? {
        let row = try connection.statement(
            placedLeaves
                + " WHERE leaf.stream = ?1 AND leaf.place < ?2 ORDER BY leaf.place DESC LIMIT 1"
        )
        defer { row.reset() }
        row.bind(text: session.description, at: 1)
        row.bind(Int64(place), at: 2)
        return try row.step() ? try SQLiteRows.placedLeaf(in: row) : nil
    }

    static func newestCheckpoint(on connection: SQLiteConnection) throws -> StoredCheckpoint? {
        let row = try connection.statement(
            """
            SELECT \(SQLiteRows.checkpointColumns) FROM checkpoints
            ORDER BY size DESC LIMIT 1
            """
        )
        defer { row.reset() }
        return try row.step() ? try SQLiteRows.checkpoint(in: row) : nil
    }
}

extension SQLiteRows {
    /// The columns of `checkpoints`, in the order in which ``checkpoint(in:)`` reads them.
    static let checkpointColumns = "size, at, root, public_key, signature, position, peaks"

    /// The checkpoint in the current row.
    static func checkpoint(in row: SQLiteStatement) throws(EventStoreError) -> StoredCheckpoint {
        let size = Int(row.integer(0))
        let peaks = row.bytes(6)
        let hashes = stride(from: 0, to: peaks.count, by: 32).compactMap {
            Digest256(bytes: peaks[$0..<min($0 + 32, peaks.count)])
        }
        guard let root = row.withBytes(2, Digest256.init(stored:)),
            let publicKey = CheckpointKey(row.bytes(3)),
            hashes.count * 32 == peaks.count,
            let frontier = MerkleFrontier(count: size, peaks: hashes)
        else {
            throw .corrupt(
                stream: nil,
                sequence: nil,
                reason: "the row of checkpoints of size \(size) does not hold a checkpoint"
            )
        }
        let checkpoint = Checkpoint(
            at: Instant(microseconds: row.integer(1)),
            key: publicKey.id,
            root: root,
            size: size
        )
        return StoredCheckpoint(
            signed: SignedCheckpoint(
                checkpoint: checkpoint,
                publicKey: publicKey,
                signature: row.bytes(4)
            ),
            positions: [row.integer(5)],
            frontier: frontier
        )
    }

    /// The leaf in the first three columns of the current row: stream, sequence number, hash.
    static func leaf(in row: SQLiteStatement) throws(EventStoreError) -> CheckpointLeaf {
        guard let stream = row.text(0).flatMap({ SessionID($0) }),
            let hash = row.withBytes(2, Digest256.init(stored:))
        else {
            throw .corrupt(
                stream: nil,
                sequence: nil,
                reason: "a row does not hold the end of a session's log"
            )
        }
        return CheckpointLeaf(stream: stream, sequence: row.sequence(1), hash: hash)
    }

    /// The leaf in the current row, with what the store has at that position.
    static func placedLeaf(in row: SQLiteStatement) throws(EventStoreError) -> PlacedLeaf {
        let leaf = try leaf(in: row)
        let found: PlacedLeaf.Found =
            if row.integer(6) != 0 {
                .same
            } else if row.integer(5) != 0 {
                .other
            } else {
                row.integer(4) != 0 ? .noRecord : .noSession
            }
        return PlacedLeaf(place: Int(row.integer(3)), leaf: leaf, found: found)
    }
}
