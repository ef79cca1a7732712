public import Workflow

extension SQLiteEventStore {
    /// How many records one checkpoint covers at the most; more are covered by several, so that nobody who appends
    /// waits long.
    static let recordsPerCheckpoint = 100_000
    /// How often a checkpoint is begun anew because another process has made one meanwhile.
    private static let maximumTries = 20

    /// Makes a checkpoint over everything that was appended up to now, while others go on appending.
    ///
    /// A leaf is added for each session whose log has grown since the newest checkpoint; when none has, nothing is
    /// written. It costs what reading the records since then costs, whatever the store's size.
    ///
    /// The newest checkpoint and the sessions that have grown are compared with the store first: a checkpoint never
    /// vouches for a history that was rewritten or cut below an earlier one.
    ///
    /// - Parameters:
    ///   - signer: The key to sign with.
    ///   - now: The time; that of the newest checkpoint when it is later.
    /// - Throws: ``EventStoreError/readOnly``, and ``EventStoreError/busy`` when other processes make checkpoints
    ///   all the time.
    public func makeCheckpoint(
        signedBy signer: CheckpointSigner,
        at now: Instant
    ) async throws(EventStoreError) -> CheckpointMaking {
        try await makeCheckpoint(signedBy: signer, at: now, covering: Self.recordsPerCheckpoint)
    }

    /// The same, with so many records for each checkpoint at the most.
    func makeCheckpoint(
        signedBy signer: CheckpointSigner,
        at now: Instant,
        covering limit: Int
    ) async throws(EventStoreError) -> CheckpointMaking {
        guard !isReadOnly else { throw .readOnly }
        let end = try await news(after: nil, limit: 1)?.position ?? 0
        var (added, tries, newest) = (0, 0, SignedCheckpoint?.none)
        while tries < Self.maximumTries {
            let growth = try await growth(limit: limit)
            guard !growth.contradicts else { return .contradicted }
            let previous = growth.previous
            guard !growth.leaves.isEmpty else {
                guard let newest else { return .unchanged(previous?.signed) }
                return .made(newest, added: added)
            }
            var frontier = previous?.frontier ?? MerkleFrontier()
            for leaf in growth.leaves { frontier.append(leaf.treeHash) }
            let signed = signer.sign(
                root: frontier.root,
                size: frontier.count,
                at: max(now, previous?.signed.checkpoint.at ?? now)
            )
            guard let signed else {
                throw .unavailable(reason: "the checkpoint could not be signed", code: nil)
            }
            let checkpoint = StoredCheckpoint(
                signed: signed,
                position: growth.position,
                frontier: frontier
            )
            let isKept = try await writer.work { connection in
                try SQLiteCheckpoints(connection).keep(
                    checkpoint,
                    leaves: growth.leaves,
                    after: previous?.signed.checkpoint.size ?? 0
                )
            }
            guard isKept else {
                tries += 1
                continue
            }
            added += growth.leaves.count
            newest = signed
            // What was appended meanwhile is for the next one, or this one would never end.
            if growth.position >= end { return .made(signed, added: added) }
        }
        throw .busy
    }

    /// What was appended since the newest checkpoint.
    private struct Growth: Sendable {
        var previous: StoredCheckpoint?
        /// The ends of the logs that have grown, in order of their sessions.
        var leaves: [CheckpointLeaf] = []
        /// Up to where they were looked for.
        var position: Int64 = 0
        /// Whether the store is not what the newest checkpoint, or an earlier leaf of one of these sessions, says.
        var contradicts = false
    }

    private func growth(limit: Int) async throws(EventStoreError) -> Growth {
        try await readers.read { connection in
            // One transaction, so that all of it is of one moment.
            try connection.execute("BEGIN")
            defer { connection.rollBack() }
            var growth = Growth(previous: try Self.newestCheckpoint(on: connection))
            growth.position = growth.previous?.position ?? 0
            if let previous = growth.previous {
                growth.contradicts =
                    try !previous.isWhole || !Self.stands(previous, on: connection)
            } else {
                let strays = try connection.integer("SELECT count(*) FROM checkpoint_leaves")
                growth.contradicts = strays != 0
            }
            guard !growth.contradicts else { return growth }
            let start = growth.position
            growth.position = try Self.position(after: start, limit: limit, on: connection)
            growth.leaves = try Self.heads(from: start, to: growth.position, on: connection)
            for leaf in growth.leaves where !growth.contradicts {
                let earlier = try Self.newestLeaf(of: leaf.stream, below: .max, on: connection)
                growth.contradicts = earlier.map { $0.found != .same } ?? false
            }
            return growth
        }
    }

    /// Whether the last record that a checkpoint covers is there and is the one that its leaf names.
    ///
    /// Places are used again when the newest records are gone, so what was appended after a loss would not be found by
    /// its place alone.
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
        row.bind(checkpoint.position, at: 1)
        row.bind(Int64(checkpoint.signed.checkpoint.size), at: 2)
        return try row.step()
    }

    /// The place that lies so many records after another one.
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

    /// The last record of each session between two places, in order of the sessions.
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
