internal import EventLog

/// The statements that write the appends of many sessions: exactly those whose stream has the
/// expected version.
///
/// An append that relies on a lease is skipped unless the lease has the given token; the row of the
/// lease is locked until the commit, so that no other node can take the lease over in between. Of
/// concurrent appends to a stream, one succeeds: the row of the session is locked and its version
/// compared under the lock; the primary keys of `sessions`, `events` and `addresses` guard against
/// anything that this might miss.
///
/// Everything is one statement, whatever lanes it touches: nothing is locked before the server has
/// received all of it, and the ends of the lanes are locked last, in ascending order.
///
/// There are several variants of the same parts: most commits only advance sessions, and the parts
/// that create sessions take time even when there are none to create. The statements return the
/// refused sessions, and the number of granted ones.
enum PostgreSQLAppend {
    /// The variants of the statement.
    enum Variant: String, CaseIterable {
        /// For appends to existing sessions.
        case advancing = "append"
        /// For appends of which some are the first of their session.
        case opening = "append_opening"
        /// Like ``opening``, for appends of which some replace a session's key by one rewrapped for
        /// MACs, which requires the right to replace keys.
        case rekeying = "append_rekeying"
    }

    /// Returns the statement for appends to one lane, whose row in `log_end` is a parameter.
    static func toOneLane(_ variant: Variant) -> PQStatement { single[variant] ?? advancing }

    /// Returns the statement for appends to several lanes, with each record's row in `log_end` and
    /// its rank among the records of its lane.
    static func toSeveralLanes(_ variant: Variant) -> PQStatement { several[variant] ?? advancing }

    private static let advancing = statement(.advancing, ofOneLane: true)
    private static let single = Dictionary(
        uniqueKeysWithValues: Variant.allCases.map { ($0, statement($0, ofOneLane: true)) }
    )
    private static let several = Dictionary(
        uniqueKeysWithValues: Variant.allCases.map { ($0, statement($0, ofOneLane: false)) }
    )

    private static func statement(_ variant: Variant, ofOneLane isSingle: Bool) -> PQStatement {
        let lanes: [PQValue.TypeID] = isSingle ? [.integer] : [.integers, .integers]
        let keys: [PQValue.TypeID] = variant == .advancing ? [] : [.blobs]
        return PQStatement(
            variant.rawValue + (isSingle ? "" : "_lanes"),
            text(variant, ofOneLane: isSingle),
            rows + records + lanes + keys
        )
    }

    /// A session's version, which session has an address, and whether a token is that of the
    /// session's lease.
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

    private static let rows: [PQValue.TypeID] =
        [
            .identities, .integers, .integers, .texts, .texts, .integers, .integers, .integers,
            .texts,
            .texts, .texts, .integers, .blobs, .integers, .blobs, .integers, .texts,
        ]
    private static let records: [PQValue.TypeID] = [
        .identities, .integers, .texts, .integers, .blobs, .blobs, .blobs, .blobs, .blobs,
    ]

    private static func text(_ variant: Variant, ofOneLane isSingle: Bool) -> String {
        let keys = isSingle ? record(10) : record(11)
        let sessions =
            variant == .advancing
            ? advanced.rewriting("advanced AS", as: "granted AS") : advanced + opened(keys)
        return """
            WITH \(sessions),
            \(variant == .rekeying ? rekeyed(keys) : "")
            \(counted)\(isSingle ? writtenToOne : writtenToSeveral)
            SELECT i.id::text, NULL::bigint FROM unnest($1) AS i (id)
            WHERE NOT (SELECT is_whole FROM whole) AND (i.id IN (SELECT id FROM granted)) IS NOT TRUE
            UNION ALL SELECT NULL, (SELECT count(*) FROM granted)
            """
    }

    private static let columns = """
        id, expected, last_seq, phase, outcome, settled, opened_at, last_at, reference, label,
            problem, due_at, address_fp, token, head_mac, imported, facts
        """
    private static let values = (1...rows.count).map { "$\($0)" }
        .joined(separator: ", ")

    /// The parameter with a number from 0 after those of the rows: first the members of records,
    /// then the lanes, then the keys.
    private static func record(_ number: Int) -> String {
        "$\(rows.count + 1 + number)"
    }
    private static let recordValues = (0..<records.count).map(record).joined(separator: ", ")

    /// Locks the row of the lease, and waits for a concurrent takeover.
    private static let fence = """
        (i.token IS NULL OR EXISTS (
            SELECT 1 FROM leases l WHERE l.session = i.id AND l.token = i.token FOR SHARE))
        """

    /// The rows come in the order of the identities and are locked in that order, so that two nodes
    /// cannot deadlock.
    private static let advanced = """
        advanced AS (
            UPDATE sessions s SET phase = i.phase, outcome = i.outcome, settled = i.settled,
                last_seq = i.last_seq, opened_at = i.opened_at, last_at = i.last_at,
                reference = i.reference, label = i.label, problem = i.problem,
                due_at = i.due_at, head_mac = i.head_mac,
                facts = i.facts::jsonb, address_fp = CASE WHEN i.address_fp IS NOT NULL AND EXISTS (
                    SELECT 1 FROM session_keys k WHERE k.session = s.id) THEN i.address_fp END
            FROM unnest(\(values))
                AS i (\(columns))
            WHERE i.expected > 0 AND s.id = i.id AND s.last_seq = i.expected
                AND \(fence)
            RETURNING s.id
        )
        """

    /// An address belongs to the first session that claims it; a new session whose address is taken
    /// is not created.
    private static func opened(_ keys: String) -> String {
        """
        , opening AS MATERIALIZED (
            SELECT * FROM unnest(\(values), \(keys))
                AS i (\(columns), wrapped)
            WHERE i.expected = 0 AND \(fence)
        ), addressed AS (
            INSERT INTO addresses (fp, session)
            SELECT address_fp, id FROM opening o WHERE address_fp IS NOT NULL
                AND NOT EXISTS (SELECT 1 FROM sessions s WHERE s.id = o.id)
            ORDER BY address_fp
            ON CONFLICT DO NOTHING RETURNING session
        ), inserted AS (
            INSERT INTO sessions (id, \(SessionColumns.common.joined(separator: ", ")), facts)
            SELECT id, phase, outcome, settled, last_seq, opened_at, last_at, reference, label,
                problem, due_at, address_fp, head_mac, imported, facts::jsonb
            FROM opening
            WHERE address_fp IS NULL OR (id IN (SELECT session FROM addressed)) IS TRUE
            ORDER BY id
            ON CONFLICT DO NOTHING RETURNING id
        ), granted AS MATERIALIZED (
            SELECT id FROM inserted UNION ALL SELECT id FROM advanced
        ), keyed AS (
            INSERT INTO session_keys (session, wrapped)
            SELECT id, wrapped FROM opening
            WHERE wrapped IS NOT NULL AND (id IN (SELECT id FROM inserted)) IS TRUE
        )
        """
    }

    /// A destroyed key stays destroyed: it has no row.
    private static func rekeyed(_ keys: String) -> String {
        """
        rekeyed AS (
            UPDATE session_keys k SET wrapped = i.wrapped
            FROM unnest($1, $2, \(keys)) AS i (id, expected, wrapped)
            WHERE i.expected > 0 AND i.wrapped IS NOT NULL AND k.session = i.id
                AND (i.id IN (SELECT id FROM granted)) IS TRUE
        ),
        """
    }

    /// A session that continues under another fingerprint claims it, unless it was erased.
    private static let counted = """
        claimed AS (
            INSERT INTO addresses (fp, session)
            SELECT i.address_fp, i.id
            FROM unnest($1, $2, $13) AS i (id, expected, address_fp)
            WHERE cardinality($13) > 0 AND i.expected > 0 AND i.address_fp IS NOT NULL
                AND (i.id IN (SELECT id FROM granted)) IS TRUE
                AND NOT EXISTS (SELECT 1 FROM addresses a WHERE a.fp = i.address_fp)
                AND EXISTS (SELECT 1 FROM session_keys k WHERE k.session = i.id)
            ORDER BY i.address_fp
            ON CONFLICT DO NOTHING RETURNING session
        ), whole AS MATERIALIZED (
            SELECT (SELECT count(*) FROM granted) = cardinality($1)
                AND (SELECT count(*) FROM claimed) >= 0 AS is_whole
        ),
        """

    /// The records get consecutive log positions.
    ///
    /// The given order is used when all appends are granted, which is nearly always the case;
    /// otherwise, the records of the granted ones are counted. The end of the lane is locked last,
    /// so that other nodes wait as little as possible.
    private static let writtenToOne = """
        ranked AS MATERIALIZED (
            SELECT array_agg(n ORDER BY place) AS ranks, max(n) AS n FROM (
                SELECT place, count(*) FILTER (
                    WHERE (session IN (SELECT id FROM granted)) IS TRUE) OVER (ORDER BY place) AS n
                FROM unnest(\(record(0))) WITH ORDINALITY AS r (session, place)) AS r
        ), amount AS MATERIALIZED (
            SELECT CASE WHEN (SELECT is_whole FROM whole) THEN cardinality(\(record(0)))
                ELSE (SELECT n FROM ranked) END AS n
        ), moved AS (
            UPDATE log_end SET position = position + (SELECT n FROM amount)
            WHERE only_row = \(record(9)) AND EXISTS (SELECT 1 FROM granted)
            RETURNING position - (SELECT n FROM amount) AS before
        ), written AS (
            INSERT INTO events (session, seq, position, type, at, record, prev, hash, seals, mac)
            SELECT r.session, r.seq, (SELECT before FROM moved)
                    + CASE WHEN (SELECT is_whole FROM whole) THEN r.place
                        ELSE (SELECT ranks FROM ranked)[r.place] END,
                r.type, r.at, r.record, r.prev, r.hash, r.seals, r.mac
            FROM unnest(\(recordValues))
                WITH ORDINALITY AS r (session, seq, type, at, record, prev, hash, seals, mac, place)
            WHERE (SELECT is_whole FROM whole) OR r.session IN (SELECT id FROM granted)
        )
        """

    /// The same in each of several lanes.
    ///
    /// A lane without a row does not get its records: then the
    /// position is null, and everything is refused.
    private static let writtenToSeveral = """
        ranked AS MATERIALIZED (
            SELECT array_agg(n ORDER BY number) AS ranks FROM (
                SELECT number, count(*) FILTER (
                    WHERE (session IN (SELECT id FROM granted)) IS TRUE)
                    OVER (PARTITION BY lane ORDER BY number) AS n
                FROM unnest(\(record(0)), \(record(9))) WITH ORDINALITY AS r (session, lane, number)) AS r
        ), amount AS MATERIALIZED (
            SELECT lane, count(*) AS n FROM unnest(\(record(0)), \(record(9))) AS r (session, lane)
            WHERE (SELECT is_whole FROM whole) OR r.session IN (SELECT id FROM granted)
            GROUP BY lane
        ), held AS MATERIALIZED (
            SELECT e.only_row AS lane, a.n FROM log_end e JOIN amount a ON a.lane = e.only_row
            ORDER BY e.only_row FOR UPDATE OF e
        ), moved AS (
            UPDATE log_end e SET position = e.position + h.n FROM held h WHERE e.only_row = h.lane
            RETURNING e.only_row AS lane, e.position - h.n AS before
        ), begun AS MATERIALIZED (
            SELECT lane, before FROM moved
        ), written AS (
            INSERT INTO events (session, seq, position, type, at, record, prev, hash, seals, mac)
            SELECT r.session, r.seq, (SELECT before FROM begun b WHERE b.lane = r.lane)
                    + CASE WHEN (SELECT is_whole FROM whole) THEN r.place
                        ELSE (SELECT ranks FROM ranked)[r.number] END,
                r.type, r.at, r.record, r.prev, r.hash, r.seals, r.mac
            FROM unnest(\(recordValues), \(record(9)), \(record(10))) WITH ORDINALITY
                AS r (session, seq, type, at, record, prev, hash, seals, mac, lane, place, number)
            WHERE (SELECT is_whole FROM whole) OR r.session IN (SELECT id FROM granted)
        )
        """
}
