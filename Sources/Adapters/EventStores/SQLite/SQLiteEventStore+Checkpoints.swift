public import EventLog

extension SQLiteEventStore {
    /// Creates a checkpoint over everything appended so far, while others continue to append.
    ///
    /// A leaf is added for each session whose log has grown since the newest checkpoint; when none
    /// has, nothing is written. The cost is that of reading the records appended since then,
    /// whatever the size of the store.
    ///
    /// The newest checkpoint and the sessions that have grown are compared with the store first: a
    /// checkpoint never covers a history that was rewritten or truncated below an earlier one.
    ///
    /// - Parameters:
    ///   - signer: The key to sign with.
    ///   - now: The time; the newest checkpoint's time is used when it is later.
    ///   - check: Authenticates the logs that have grown; `nil` when their keys are not available.
    /// - Returns: The checkpoint, or the reason why none was created.
    /// - Throws: ``EventStoreError/readOnly``, and ``EventStoreError/busy`` when other processes
    ///   keep creating checkpoints.
    public func makeCheckpoint(
        signedBy signer: CheckpointSigner,
        at now: Instant,
        checking check: ForgeryCheck? = nil
    ) async throws(EventStoreError) -> CheckpointMaking {
        try await makeCheckpoint(
            signedBy: signer,
            at: now,
            checking: check,
            covering: CheckpointMaker.recordsPerCheckpoint
        )
    }

    /// Creates checkpoints that cover at most this many records each.
    func makeCheckpoint(
        signedBy signer: CheckpointSigner,
        at now: Instant,
        checking check: ForgeryCheck? = nil,
        covering limit: Int
    ) async throws(EventStoreError) -> CheckpointMaking {
        guard !isReadOnly else { throw .readOnly }
        let maker = CheckpointMaker(
            end: [try await changes(after: nil, limit: 1)?.cursor.position(inLane: 0) ?? 0],
            growth: { () throws(EventStoreError) in try await self.growth(limit: limit) },
            check: check,
            keep: { checkpoint, leaves, size throws(EventStoreError) in
                try await self.writer.work { connection in
                    try SQLiteCheckpoints(connection).keep(checkpoint, leaves: leaves, after: size)
                }
            }
        )
        return try await maker.run(signedBy: signer, at: now)
    }

    private func growth(limit: Int) async throws(EventStoreError) -> CheckpointGrowth {
        try await readers.read { connection in
            // One transaction, so that all data is of one moment.
            try connection.execute("BEGIN")
            defer { connection.rollBack() }
            let newest = try Self.newestCheckpoint(on: connection)
            var growth = CheckpointGrowth(previous: newest, positions: newest?.positions ?? [0])
            if let previous = growth.previous {
                growth.contradicts =
                    try !previous.isWhole || !Self.stands(previous, on: connection)
            } else {
                let strays = try connection.integer("SELECT count(*) FROM checkpoint_leaves")
                growth.contradicts = strays != 0
            }
            guard !growth.contradicts else { return growth }
            let start = growth.positions[0]
            let end = try Self.position(after: start, limit: limit, on: connection)
            growth.positions = [end]
            growth.leaves = try Self.heads(from: start, to: end, on: connection)
            for leaf in growth.leaves where !growth.contradicts {
                let earlier = try Self.newestLeaf(of: leaf.stream, below: .max, on: connection)
                growth.contradicts = earlier.map { $0.found != .same } ?? false
            }
            return growth
        }
    }

    /// Whether the last record that a checkpoint covers exists and is the one that its leaf names.
    ///
    /// Log positions are reused when the newest records are lost, so records appended after a loss
    /// would not be detected by their position alone.
    private static func stands(
        _ checkpoint: StoredCheckpoint,
        on connection: SQLiteConnection
    ) throws -> Bool {
        let row = try connection.statement(
            """
            SELECT 1 FROM events JOIN sessions ON sessions.key = events.session
                JOIN checkpoint_leaves AS leaf ON leaf.stream = sessions.id
                    AND leaf.seq = events.seq AND leaf.hash = events.hash
            WHERE events.position = ?1
                AND ?2 = (SELECT max(place) + 1 FROM checkpoint_leaves)
            """
        )
        defer { row.reset() }
        row.bind(checkpoint.positions[0], at: 1)
        row.bind(Int64(checkpoint.signed.checkpoint.size), at: 2)
        return try row.step()
    }

    /// The log position this many records after another one.
    private static func position(
        after position: Int64,
        limit: Int,
        on connection: SQLiteConnection
    ) throws -> Int64 {
        let row = try connection.statement(
            """
            SELECT max(position) FROM
                (SELECT position FROM events WHERE position > ?1 ORDER BY position LIMIT ?2)
            """
        )
        defer { row.reset() }
        row.bind(position, at: 1)
        row.bind(Int64(max(1, limit)), at: 2)
        return try row.step() ? row.optionalInteger(0) ?? position : position
    }

    /// The last record of each session between two log positions, ordered by session.
    ///
    /// - Note: Source: SQLite, a bare column beside one `max()` is of the row that has the maximum.
    private static func heads(
        from first: Int64,
        to last: Int64,
        on connection: SQLiteConnection
    ) throws -> [CheckpointLeaf] {
        let rows = try connection.statement(
            """
            SELECT sessions.id, head.seq, head.hash FROM
                (SELECT session, max(seq) AS seq, hash FROM events
                    WHERE position > ?1 AND position <= ?2 GROUP BY session) AS head
                JOIN sessions ON sessions.key = head.session
            ORDER BY sessions.id
            """
        )
        defer { rows.reset() }
        rows.bind(first, at: 1)
        rows.bind(last, at: 2)
        var leaves: [CheckpointLeaf] = []
        while try rows.step() { leaves.append(try SQLiteRows.leaf(in: rows)) }
        return leaves
    }
}
