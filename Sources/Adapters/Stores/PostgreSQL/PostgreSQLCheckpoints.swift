internal import EventLog
internal import SwedbankPay

/// The tables of checkpoints, and the statements on them.
enum PostgreSQLCheckpoints {
    static let tables = [
        """
        CREATE TABLE checkpoints (
            size BIGINT PRIMARY KEY,
            at BIGINT NOT NULL,
            root BYTEA NOT NULL,
            public_key BYTEA NOT NULL,
            signature BYTEA NOT NULL,
            position BIGINT NOT NULL,
            peaks BYTEA NOT NULL
        )
        """,
        """
        CREATE TABLE checkpoint_leaves (
            place BIGINT PRIMARY KEY,
            stream UUID NOT NULL,
            seq BIGINT NOT NULL,
            hash BYTEA NOT NULL
        )
        """,
        "CREATE INDEX checkpoint_leaves_stream ON checkpoint_leaves (stream, place)",
    ]

    private static let columns = "size, at, root, public_key, signature, position, peaks"
    private static let placedLeaves = """
        SELECT leaf.stream::text, leaf.seq, leaf.hash, leaf.place,
            EXISTS (SELECT 1 FROM sessions s WHERE s.id = leaf.stream), e.hash IS NOT NULL,
            coalesce(e.hash = leaf.hash, false)
        FROM checkpoint_leaves leaf
            LEFT JOIN events e ON e.session = leaf.stream AND e.seq = leaf.seq
        """

    static let list = PQStatement(
        "checkpoints",
        "SELECT \(columns) FROM checkpoints WHERE size >= $1 ORDER BY size LIMIT $2",
        .integer,
        .integer
    )
    static let newest = PQStatement(
        "checkpoint_newest",
        "SELECT \(columns) FROM checkpoints ORDER BY size DESC LIMIT 1"
    )
    static let leaves = PQStatement(
        "checkpoint_leaves",
        placedLeaves + " WHERE leaf.place >= $1 ORDER BY leaf.place LIMIT $2",
        .integer,
        .integer
    )
    static let newestLeaf = PQStatement(
        "checkpoint_newest_leaf",
        placedLeaves
            + " WHERE leaf.stream = $1::text::uuid AND leaf.place < $2 ORDER BY leaf.place DESC LIMIT 1",
        .text,
        .integer
    )
    /// The newest checkpoint, the number of leaves, and whether the last record that it covers is
    /// unchanged.
    ///
    /// One statement sees one moment, whatever other processes do meanwhile.
    static let standing = PQStatement(
        "checkpoint_standing",
        """
        WITH newest AS (SELECT \(columns) FROM checkpoints ORDER BY size DESC LIMIT 1)
        SELECT \(columns), (SELECT coalesce(max(place) + 1, 0) FROM checkpoint_leaves), EXISTS (
            SELECT 1 FROM events e JOIN checkpoint_leaves leaf
                ON leaf.stream = e.session AND leaf.seq = e.seq AND leaf.hash = e.hash
            WHERE e.position = newest.position)
        FROM (SELECT 1) AS always LEFT JOIN newest ON true
        """
    )
    /// The log position this many records after another one.
    static let reach = PQStatement(
        "checkpoint_reach",
        """
        SELECT max(position) FROM
            (SELECT position FROM events WHERE position > $1 ORDER BY position LIMIT $2) AS next
        """,
        .integer,
        .integer
    )
    /// The last record of each session between two log positions, ordered by session.
    static let heads = PQStatement(
        "checkpoint_heads",
        """
        SELECT DISTINCT ON (session) session::text, seq, hash FROM events
        WHERE position > $1 AND position <= $2 ORDER BY session, seq DESC
        """,
        .integer,
        .integer
    )
    /// The number of given sessions whose record differs from the one in their newest leaf, or is
    /// missing.
    static let contradictions = PQStatement(
        "checkpoint_contradictions",
        """
        SELECT count(*) FROM (
            SELECT DISTINCT ON (stream) stream, seq, hash FROM checkpoint_leaves
            WHERE stream = ANY ($1::text[]::uuid[]) ORDER BY stream, place DESC) AS leaf
        LEFT JOIN events e ON e.session = leaf.stream AND e.seq = leaf.seq
        WHERE e.hash IS DISTINCT FROM leaf.hash
        """,
        .texts
    )
    /// Writes a checkpoint with its leaves after the expected ones; has no effect when there are
    /// others.
    ///
    /// Of two concurrent writers, the primary keys let one succeed.
    static let keep = PQStatement(
        "checkpoint_keep",
        """
        WITH kept AS (
            INSERT INTO checkpoints (\(columns))
            SELECT $1, $2, $3, $4, $5, $6, $7
            WHERE $8 = (SELECT coalesce(max(size), 0) FROM checkpoints)
                AND $8 = (SELECT coalesce(max(place) + 1, 0) FROM checkpoint_leaves)
            RETURNING size
        ), added AS (
            INSERT INTO checkpoint_leaves (place, stream, seq, hash)
            SELECT $8 + place - 1, stream::uuid, seq, hash
            FROM unnest($9::text[], $10::bigint[], $11::bytea[])
                WITH ORDINALITY AS t (stream, seq, hash, place)
            WHERE EXISTS (SELECT 1 FROM kept)
        )
        SELECT size FROM kept
        """,
        .integer,
        .integer,
        .bytes,
        .bytes,
        .bytes,
        .integer,
        .bytes,
        .integer,
        .texts,
        .integers,
        .blobs
    )

    /// The checkpoint in the first seven columns of a row.
    static func checkpoint(
        in rows: PQRows,
        _ row: Int
    ) throws(EventStoreError) -> StoredCheckpoint {
        let size = Int(clamping: rows.integer(row, 0) ?? 0)
        let peaks = rows.bytes(row, 6)
        let hashes = stride(from: 0, to: peaks.count, by: 32).compactMap {
            Digest256(bytes: peaks[$0..<min($0 + 32, peaks.count)])
        }
        guard let root = rows.withBytes(row, 2, Digest256.init(stored:)),
            let publicKey = CheckpointKey(rows.bytes(row, 3)), let at = rows.integer(row, 1),
            let position = rows.integer(row, 5), hashes.count * 32 == peaks.count,
            let frontier = MerkleFrontier(count: size, peaks: hashes)
        else {
            throw .corrupt(
                stream: nil,
                sequence: nil,
                reason: "the row of checkpoints of size \(size) does not hold a checkpoint"
            )
        }
        return StoredCheckpoint(
            signed: SignedCheckpoint(
                checkpoint: Checkpoint(
                    at: Instant(microseconds: at),
                    key: publicKey.id,
                    root: root,
                    size: size
                ),
                publicKey: publicKey,
                signature: rows.bytes(row, 4)
            ),
            position: position,
            frontier: frontier
        )
    }

    /// The leaf in the first three columns of a row.
    static func leaf(in rows: PQRows, _ row: Int) throws(EventStoreError) -> CheckpointLeaf {
        guard let stream = rows.text(row, 0).flatMap({ SessionID($0) }),
            let sequence = rows.sequence(row, 1),
            let hash = rows.withBytes(row, 2, Digest256.init(stored:))
        else {
            throw .corrupt(
                stream: nil,
                sequence: nil,
                reason: "a row does not hold the end of a session's log"
            )
        }
        return CheckpointLeaf(stream: stream, sequence: sequence, hash: hash)
    }

    /// The leaves in rows, with what the store has at their positions.
    static func placedLeaves(in rows: PQRows) throws(EventStoreError) -> [PlacedLeaf] {
        var leaves: [PlacedLeaf] = []
        for row in 0..<rows.count {
            let found: PlacedLeaf.Found =
                if rows.integer(row, 6) == 1 {
                    .same
                } else if rows.integer(row, 5) == 1 {
                    .other
                } else {
                    rows.integer(row, 4) == 1 ? .noRecord : .noSession
                }
            leaves.append(
                PlacedLeaf(
                    place: Int(clamping: rows.integer(row, 3) ?? 0),
                    leaf: try leaf(in: rows, row),
                    found: found
                )
            )
        }
        return leaves
    }
}
