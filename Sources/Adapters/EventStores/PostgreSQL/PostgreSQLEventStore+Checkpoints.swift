public import EventLog

extension PostgreSQLEventStore {
    /// Creates a checkpoint over everything appended so far, while others continue to append.
    ///
    /// Records never change and the positions in a lane are in commit order: they determine what is
    /// covered, whatever is appended while the parts are read.
    public func makeCheckpoint(
        signedBy signer: CheckpointSigner,
        at now: Instant,
        checking check: ForgeryCheck? = nil
    ) async throws(EventStoreError) -> CheckpointMaking {
        guard !isReadOnly else { throw .readOnly }
        let maker = CheckpointMaker(
            end: try await end().positions,
            growth: { () throws(EventStoreError) in try await self.growth() },
            check: check,
            keep: { checkpoint, leaves, size throws(EventStoreError) in
                try await self.keep(checkpoint, leaves, after: size)
            }
        )
        return try await maker.run(signedBy: signer, at: now)
    }

    private func growth() async throws(EventStoreError) -> CheckpointGrowth {
        var growth = CheckpointGrowth(positions: lanes.positions(of: nil))
        let standing = try await rows(PQCommand(PostgreSQLCheckpoints.standing))[0]
        let leaves = standing.integer(0, 7) ?? 0
        if standing.isNull(0, 0) {
            growth.contradicts = leaves != 0
        } else {
            let previous = try PostgreSQLCheckpoints.checkpoint(in: standing, 0, lanes)
            growth.previous = previous
            growth.positions = previous.positions
            growth.contradicts =
                !previous.isWhole || standing.integer(0, 8) != 1
                || leaves != Int64(previous.signed.checkpoint.size)
        }
        guard !growth.contradicts else { return growth }
        let start = growth.positions
        let limit = PQValue.integer(Int64(CheckpointMaker.recordsPerCheckpoint / lanes.count))
        let reach = try await rows(
            PQCommand(PostgreSQLCheckpoints.reach, .integers(start), limit)
        )[0]
        growth.positions = lanes.parse(reach.text(0, 0)) ?? start
        guard growth.positions != start else { return growth }
        let heads = try await rows(
            PQCommand(
                PostgreSQLCheckpoints.heads,
                .integers(start),
                .integers(growth.positions),
                limit
            )
        )[0]
        for row in 0..<heads.count {
            growth.leaves.append(try PostgreSQLCheckpoints.leaf(in: heads, row))
        }
        let wrong = try await rows(
            PQCommand(
                PostgreSQLCheckpoints.contradictions,
                .texts(growth.leaves.map { "\($0.stream)" })
            )
        )[0]
        growth.contradicts = wrong.integer(0, 0) != 0
        return growth
    }

    private func keep(
        _ stored: StoredCheckpoint,
        _ leaves: [CheckpointLeaf],
        after size: Int
    ) async throws(EventStoreError) -> Bool {
        try checkOpen()
        let signed = stored.signed
        let command = PQCommand(
            PostgreSQLCheckpoints.keep,
            .integer(Int64(signed.checkpoint.size)),
            .integer(signed.checkpoint.at.microseconds),
            .bytes(signed.checkpoint.root.bytes),
            .bytes(signed.publicKey.bytes),
            .bytes(signed.signature),
            .integers(stored.positions),
            .bytes(stored.frontier.peaks.flatMap(\.bytes)),
            .integer(Int64(size)),
            .texts(leaves.map { "\($0.stream)" }),
            .integers(leaves.map(\.sequence.rawValue)),
            .blobs(leaves.map(\.hash.bytes))
        )
        do throws(PQFailure) {
            return try await pool.writer().run([command]).first?.count == 1
        } catch {
            // Another checkpoint was created at the same time.
            guard error.state == "23505" || error.isBadLuck else { throw error.storeError }
            return false
        }
    }

    /// Returns the checkpoints from a size on, in order.
    public func checkpoints(
        from size: Int,
        limit: Int
    ) async throws(EventStoreError) -> [StoredCheckpoint] {
        let found = try await rows(
            PQCommand(
                PostgreSQLCheckpoints.list,
                .integer(Int64(size)),
                .integer(Int64(max(0, limit)))
            )
        )[0]
        var checkpoints: [StoredCheckpoint] = []
        for row in 0..<found.count {
            checkpoints.append(try PostgreSQLCheckpoints.checkpoint(in: found, row, lanes))
        }
        return checkpoints
    }

    /// Returns the newest checkpoint, if there is one.
    public func newestCheckpoint() async throws(EventStoreError) -> StoredCheckpoint? {
        let found = try await rows(PQCommand(PostgreSQLCheckpoints.newest))[0]
        return found.count > 0 ? try PostgreSQLCheckpoints.checkpoint(in: found, 0, lanes) : nil
    }

    /// Returns the leaves from an index on, in order, each with what the store has at that
    /// position.
    public func checkpointLeaves(
        from place: Int,
        limit: Int
    ) async throws(EventStoreError) -> [PlacedLeaf] {
        try PostgreSQLCheckpoints.placedLeaves(
            in: try await rows(
                PQCommand(
                    PostgreSQLCheckpoints.leaves,
                    .integer(Int64(place)),
                    .integer(Int64(max(0, limit)))
                )
            )[0]
        )
    }

    /// Returns a session's newest leaf below an index, with what the store has at that position.
    public func newestLeaf(
        of session: SessionID,
        below place: Int = .max
    ) async throws(EventStoreError) -> PlacedLeaf? {
        try PostgreSQLCheckpoints.placedLeaves(
            in: try await rows(
                PQCommand(
                    PostgreSQLCheckpoints.newestLeaf,
                    .text("\(session)"),
                    .integer(Int64(place))
                )
            )[0]
        ).first
    }
}
