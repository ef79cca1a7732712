internal import EventLog

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
            peaks BYTEA NOT NULL,
            lanes BIGINT[]
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

    private static let columns = "size, at, root, public_key, signature, position, peaks, lanes"
    /// The positions in all lanes up to which a checkpoint covers what was appended.
    private static let covered = "coalesce(lanes, ARRAY[position])"
    /// The columns that ``checkpoint(in:_:)`` reads.
    private static let read = """
        size, at, root, public_key, signature, array_to_string(\(covered), ','), peaks
        """
    private static let placedLeaves = """
        SELECT leaf.stream::text, leaf.seq, leaf.hash, leaf.place,
            EXISTS (SELECT 1 FROM sessions s WHERE s.id = leaf.stream), e.hash IS NOT NULL,
            coalesce(e.hash = leaf.hash, false)
        FROM checkpoint_leaves leaf
            LEFT JOIN events e ON e.session = leaf.stream AND e.seq = leaf.seq
        """

    static let list = PQStatement(
        "checkpoints",
        "SELECT \(read) FROM checkpoints WHERE size >= $1 ORDER BY size LIMIT $2",
        .integer,
        .integer
    )
    static let newest = PQStatement(
        "checkpoint_newest",
        "SELECT \(read) FROM checkpoints ORDER BY size DESC LIMIT 1"
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
    /// The newest checkpoint, the number of leaves, and whether the last record that it covers in
    /// each lane is unchanged.
    ///
    /// One statement sees one moment, whatever other processes do meanwhile.
    static let standing = PQStatement(
        "checkpoint_standing",
        """
        WITH newest AS (SELECT \(columns) FROM checkpoints ORDER BY size DESC LIMIT 1)
        SELECT \(read), (SELECT coalesce(max(place) + 1, 0) FROM checkpoint_leaves), NOT EXISTS (
            SELECT 1 FROM unnest(\(covered)) AS last (position)
            WHERE \(PostgreSQLLanes.number(of: "last.position")) > 0 AND NOT EXISTS (
                SELECT 1 FROM events e JOIN checkpoint_leaves leaf
                    ON leaf.stream = e.session AND leaf.seq = e.seq AND leaf.hash = e.hash
                WHERE e.position = last.position))
        FROM (SELECT 1) AS always LEFT JOIN newest ON true
        """
    )
    /// The position this many records after another one, in each lane.
    static let reach = PQStatement(
        "checkpoint_reach",
        """
        SELECT string_agg(coalesce(next.position, known.position)::text, ',' ORDER BY lane)
        FROM unnest($1) WITH ORDINALITY AS known (position, lane)
        CROSS JOIN LATERAL (
            SELECT max(position) AS position FROM (
                SELECT position FROM events WHERE position > known.position
                    AND position <= \(PostgreSQLLanes.lastInLane(of: "known.position"))
                ORDER BY position LIMIT $2) AS e) AS next
        """,
        .integers,
        .integer
    )
    /// The last record of each session between two positions in each lane, ordered by session; the
    /// limit is that of ``reach``, and has the server read by index.
    static let heads = PQStatement(
        "checkpoint_heads",
        """
        SELECT DISTINCT ON (session) session::text, seq, hash
        FROM unnest($1, $2) AS lane (known, reached)
        CROSS JOIN LATERAL (
            SELECT session, seq, hash FROM events
            WHERE position > known AND position <= reached ORDER BY position LIMIT $3) AS e
        ORDER BY session, seq DESC
        """,
        .integers,
        .integers,
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
            SELECT $1, $2, $3, $4, $5, $6[1], $7, CASE WHEN cardinality($6) > 1 THEN $6 END
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
        .integers,
        .bytes,
        .integer,
        .texts,
        .integers,
        .blobs
    )

    /// The checkpoint in the first seven columns of a row.
    static func checkpoint(
        in rows: PQRows,
        _ row: Int,
        _ lanes: PostgreSQLLanes
    ) throws(EventStoreError) -> StoredCheckpoint {
        let size = Int(clamping: rows.integer(row, 0) ?? 0)
        let peaks = rows.bytes(row, 6)
        let hashes = stride(from: 0, to: peaks.count, by: 32).compactMap {
            Digest256(bytes: peaks[$0..<min($0 + 32, peaks.count)])
        }
        guard let root = rows.withBytes(row, 2, Digest256.init(stored:)),
            let publicKey = CheckpointKey(rows.bytes(row, 3)), let at = rows.integer(row, 1),
            let positions = lanes.parse(rows.text(row, 5)), hashes.count * 32 == peaks.count,
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
            positions: positions,
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
