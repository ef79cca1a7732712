internal import EventLog

/// Writes checkpoints on the connection that appends.
///
/// - Note: Isolation: the writer's thread.
struct SQLiteCheckpoints {
    private let connection: SQLiteConnection

    init(_ connection: SQLiteConnection) { self.connection = connection }

    /// Writes a checkpoint and its new leaves in one transaction, unless another one was created
    /// meanwhile.
    func keep(
        _ checkpoint: StoredCheckpoint,
        leaves: [CheckpointLeaf],
        after size: Int
    ) throws(SQLiteFailure) -> Bool {
        try connection.execute("BEGIN IMMEDIATE")
        do throws(SQLiteFailure) {
            let newest = try connection.integer("SELECT max(size) FROM checkpoints") ?? 0
            let places = try connection.integer("SELECT max(place) + 1 FROM checkpoint_leaves") ?? 0
            guard newest == Int64(size), places == Int64(size) else {
                connection.rollBack()
                return false
            }
            try insert(leaves, from: size)
            try insert(checkpoint)
            try connection.execute("COMMIT")
            return true
        } catch {
            connection.rollBack()
            throw error
        }
    }

    private func insert(_ leaves: [CheckpointLeaf], from place: Int) throws(SQLiteFailure) {
        let row = try connection.statement(
            "INSERT INTO checkpoint_leaves (place, stream, seq, hash) VALUES (?1, ?2, ?3, ?4)"
        )
        for (offset, leaf) in leaves.enumerated() {
            row.bind(Int64(place + offset), at: 1)
            row.bind(text: leaf.stream.description, at: 2)
            row.bind(sequence: leaf.sequence, at: 3)
            leaf.hash.withBytes { row.bind(copying: $0, at: 4) }
            try row.run()
        }
    }

    private func insert(_ checkpoint: StoredCheckpoint) throws(SQLiteFailure) {
        let signed = checkpoint.signed
        let row = try connection.statement(
            """
            INSERT INTO checkpoints (size, at, root, public_key, signature, position, peaks)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
            """
        )
        row.bind(Int64(signed.checkpoint.size), at: 1)
        row.bind(signed.checkpoint.at.microseconds, at: 2)
        signed.checkpoint.root.withBytes { row.bind(copying: $0, at: 3) }
        signed.publicKey.bytes.withUnsafeBytes { row.bind(copying: $0, at: 4) }
        signed.signature.withUnsafeBytes { row.bind(copying: $0, at: 5) }
        row.bind(checkpoint.positions[0], at: 6)
        checkpoint.frontier.peaks.flatMap(\.bytes).withUnsafeBytes {
            row.bind(copying: $0, at: 7)
        }
        try row.run()
    }
}
