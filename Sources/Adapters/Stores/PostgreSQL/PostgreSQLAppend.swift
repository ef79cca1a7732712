internal import Workflow

/// An append, and the token of the lease that it relies on.
struct FencedAppend: Sendable {
    var append: StreamAppend
    /// Nothing when it relies on none.
    var token: Int64?
}

/// The statement that writes appends of many sessions: all that are where they are expected to be, and no other.
///
/// An append that relies on a lease is left out unless the lease has the token that came with it; the row of the lease is
/// held until the commit, so that nobody takes it over in between. Of those who append to a stream at the same time one wins: the row of the session is locked and its version compared
/// under the lock; the primary keys of `sessions`, `events` and `addresses` decide whatever that should miss.
enum PostgreSQLAppend {
    private static let sql = """
        WITH input AS MATERIALIZED (
            SELECT id::uuid AS id, expected, last_seq, phase, outcome, settled, opened_at, last_at,
                reference, instrument, problem, due_at, address_fp, wrapped, token
            FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::text[], $5::text[], $6::bigint[],
                $7::bigint[], $8::bigint[], $9::text[], $10::text[], $11::text[], $12::bigint[],
                $13::bytea[], $14::bytea[], $23::bigint[])
                AS t (id, expected, last_seq, phase, outcome, settled, opened_at, last_at,
                    reference, instrument, problem, due_at, address_fp, wrapped, token)
        ), fenced AS MATERIALIZED (
            SELECT l.session FROM leases l JOIN input i ON i.id = l.session
            WHERE l.token = i.token ORDER BY l.session FOR SHARE OF l
        ), allowed AS MATERIALIZED (
            SELECT * FROM input WHERE token IS NULL OR id IN (SELECT session FROM fenced)
        ), records AS MATERIALIZED (
            SELECT session::uuid AS session, seq, type, at, record, prev, hash, seals, place
            FROM unnest($15::text[], $16::bigint[], $17::text[], $18::bigint[], $19::bytea[],
                $20::bytea[], $21::bytea[], $22::bytea[])
                WITH ORDINALITY AS t (session, seq, type, at, record, prev, hash, seals, place)
        ), locked AS MATERIALIZED (
            SELECT s.id, s.last_seq FROM sessions s WHERE s.id IN (SELECT id FROM allowed)
            ORDER BY s.id FOR UPDATE
        ), claimed AS (
            INSERT INTO addresses (fp, session)
            SELECT i.address_fp, i.id FROM allowed i LEFT JOIN locked l ON l.id = i.id
            WHERE i.address_fp IS NOT NULL AND coalesce(l.last_seq, 0) = i.expected
            ORDER BY i.address_fp
            ON CONFLICT DO NOTHING RETURNING session
        ), inserted AS (
            INSERT INTO sessions (id, phase, outcome, settled, last_seq, opened_at, last_at, reference,
                instrument, problem, due_at, address_fp)
            SELECT id, phase, outcome, settled, last_seq, opened_at, last_at, reference, instrument,
                problem, due_at, address_fp
            FROM allowed WHERE expected = 0
                AND (address_fp IS NULL OR id IN (SELECT session FROM claimed))
            ORDER BY id
            ON CONFLICT DO NOTHING RETURNING id
        ), updated AS (
            UPDATE sessions s SET phase = i.phase, outcome = i.outcome, settled = i.settled,
                last_seq = i.last_seq, opened_at = i.opened_at, last_at = i.last_at,
                reference = i.reference, instrument = i.instrument, problem = i.problem,
                due_at = i.due_at, address_fp = CASE WHEN EXISTS (
                    SELECT 1 FROM session_keys k WHERE k.session = s.id) THEN i.address_fp END
            FROM allowed i JOIN locked l ON l.id = i.id
            WHERE s.id = i.id AND i.expected > 0 AND l.last_seq = i.expected
            RETURNING s.id
        ), granted AS MATERIALIZED (
            SELECT id FROM inserted UNION ALL SELECT id FROM updated
        ), keyed AS (
            INSERT INTO session_keys (session, wrapped)
            SELECT id, wrapped FROM allowed
            WHERE wrapped IS NOT NULL AND id IN (SELECT id FROM inserted)
        ), moved AS (
            UPDATE log_end SET position = position
                + (SELECT count(*) FROM records WHERE session IN (SELECT id FROM granted))
            WHERE EXISTS (SELECT 1 FROM granted)
            RETURNING position
        ), written AS (
            INSERT INTO events (session, seq, position, type, at, record, prev, hash, seals)
            SELECT r.session, r.seq,
                moved.position - count(*) OVER () + row_number() OVER (ORDER BY r.place),
                r.type, r.at, r.record, r.prev, r.hash, r.seals
            FROM records r, moved WHERE r.session IN (SELECT id FROM granted)
        )
        SELECT id::text FROM granted
        """

    private static let statement = PQStatement(
        "append",
        sql,
        .texts,
        .integers,
        .integers,
        .texts,
        .texts,
        .integers,
        .integers,
        .integers,
        .texts,
        .texts,
        .texts,
        .integers,
        .blobs,
        .blobs,
        .texts,
        .integers,
        .texts,
        .integers,
        .blobs,
        .blobs,
        .blobs,
        .blobs,
        .integers
    )

    /// Where a session is, who has an address, and whether a token is that of the session's lease.
    static let standing = PQStatement(
        "standing",
        """
        SELECT (SELECT last_seq FROM sessions WHERE id = $1::text::uuid),
            (SELECT session::text FROM addresses WHERE fp = $2 AND session <> $1::text::uuid),
            EXISTS (SELECT 1 FROM leases WHERE session = $1::text::uuid AND token = $3)
        """,
        .text,
        .bytes,
        .integer
    )

    /// The statement with the values of some appends, which are of different sessions.
    static func command(_ fenced: [FencedAppend]) -> PQCommand {
        let appends = fenced.map(\.append)
        let rows = appends.map(\.summary)
        let records = appends.flatMap(\.records)
        var command = PQCommand(statement)
        command.values = [
            .texts(rows.map { "\($0.session)" }),
            .integers(appends.map(\.expectedVersion)),
            .integers(rows.map(\.lastSequence)),
            .texts(rows.map(\.phase.rawValue)),
            .texts(rows.map(\.outcome?.rawValue)),
            .integers(rows.map { $0.isSettled ? 1 : 0 }),
            .integers(rows.map(\.openedAt.microseconds)),
            .integers(rows.map(\.lastAt.microseconds)),
            .texts(rows.map(\.reference)),
            .texts(rows.map(\.instrument?.rawValue)),
            .texts(rows.map(\.problem)),
            .integers(rows.map(\.dueAt?.microseconds)),
            .blobs(rows.map(\.addressFingerprint?.bytes)),
            .blobs(appends.map(\.wrappedKey)),
            .texts(records.map { "\($0.stream)" }),
            .integers(records.map(\.sequence)),
            .texts(records.map(\.type)),
            .integers(records.map(\.at.microseconds)),
            .blobs(records.map(\.canonical)),
            .blobs(records.map(\.previous.bytes)),
            .blobs(records.map(\.hash.bytes)),
            .blobs(records.map { $0.seals.isEmpty ? nil : SQLiteRows.bytes(of: $0.seals) }),
            .integers(fenced.map(\.token)),
        ]
        return command
    }
}
