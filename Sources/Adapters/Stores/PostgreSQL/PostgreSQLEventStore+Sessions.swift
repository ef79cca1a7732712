public import EventLog
internal import SwedbankPay

extension PostgreSQLEventStore {
    private static let columns = """
        id::text, phase, outcome, settled, last_seq, opened_at, last_at, reference, instrument,
            problem, due_at, address_fp, head_mac, imported
        """
    /// One session's row.
    static let row = PQStatement(
        "session_row",
        "SELECT \(columns) FROM sessions WHERE id = $1::text::uuid",
        .text
    )
    private static let matching = PQStatement(
        "sessions",
        """
        SELECT \(columns)
        FROM sessions
        WHERE ($1 IS NULL OR phase = $1) AND ($2 IS NULL OR outcome = $2)
            AND ($3 IS NULL OR instrument = $3) AND ($4 IS NULL OR opened_at >= $4)
            AND ($5 IS NULL OR opened_at < $5) AND ($6 IS NULL OR reference = $6)
            AND ($7 IS NULL OR address_fp = $7)
            AND ($8 IS NULL OR (due_at <= $8 AND phase <> 'ended'))
            AND ($9 IS NULL OR id < $9::text::uuid) AND ($11 IS NULL OR imported = $11)
            AND ($12 IS NULL OR starts_with(reference, $12))
            AND ($13 IS NULL OR right(id::text, length($13)) = $13)
        ORDER BY id DESC LIMIT $10
        """,
        .text,
        .text,
        .text,
        .integer,
        .integer,
        .text,
        .bytes,
        .integer,
        .text,
        .integer,
        .integer,
        .text,
        .text
    )
    /// What another living node holds is that node's business.
    static let due = PQStatement(
        "due",
        """
        SELECT id::text FROM sessions s WHERE due_at <= $1 AND NOT EXISTS (
            SELECT 1 FROM leases l JOIN nodes n ON n.id = l.node
            WHERE l.session = s.id AND l.node <> $3 AND n.until >= \(PostgreSQLLeaseStatements.now))
        ORDER BY due_at, id LIMIT $2
        """,
        .integer,
        .integer,
        .integer
    )

    /// The rows of the projection that fit, newest first (by identity, which begins with the time).
    public func sessions(
        matching query: SessionQuery
    ) async throws(EventStoreError) -> [SessionSummary] {
        let found = try await rows(
            PQCommand(
                Self.matching,
                .optional(query.phase),
                .optional(query.outcome),
                .optional(query.label),
                .optional(query.since?.microseconds),
                .optional(query.until?.microseconds),
                .optional(query.reference),
                query.addressFingerprint.map { .bytes($0.bytes) } ?? .null,
                .optional(query.overdueSince?.microseconds),
                .optional(query.before?.description),
                .integer(Int64(max(0, query.limit))),
                .optional(query.origin.map { $0 == .imported ? 1 : 0 }),
                .optional(query.referencePrefix),
                .optional(query.ending)
            )
        )[0]
        var summaries: [SessionSummary] = []
        for row in 0..<found.count { summaries.append(try Self.summary(in: found, row)) }
        return summaries
    }

    static func summary(
        in rows: PQRows,
        _ row: Int
    ) throws(EventStoreError) -> SessionSummary {
        let session = rows.text(row, 0).flatMap { SessionID($0) }
        guard let session, let phase = rows.text(row, 1) else {
            throw .corrupt(
                stream: session,
                sequence: nil,
                reason: "a row of sessions has no identity or no phase"
            )
        }
        return SessionSummary(
            session: session,
            phase: phase,
            outcome: rows.text(row, 2),
            isSettled: rows.integer(row, 3) != 0,
            lastSequence: rows.integer(row, 4) ?? 0,
            openedAt: Instant(microseconds: rows.integer(row, 5) ?? 0),
            lastAt: Instant(microseconds: rows.integer(row, 6) ?? 0),
            reference: rows.text(row, 7),
            label: rows.text(row, 8),
            problem: rows.text(row, 9),
            dueAt: rows.integer(row, 10).map(Instant.init(microseconds:)),
            addressFingerprint: rows.isNull(row, 11)
                ? nil : rows.withBytes(row, 11, Digest256.init(stored:)),
            headMAC: rows.isNull(row, 12) ? nil : rows.withBytes(row, 12, Digest256.init(stored:)),
            origin: rows.integer(row, 13) == 0 ? .own : .imported
        )
    }

    /// The sessions with something due that no other living node holds, the longest overdue first.
    public func sessionsDue(
        by instant: Instant,
        limit: Int
    ) async throws(EventStoreError) -> [SessionID] {
        let found = try await rows(
            PQCommand(
                Self.due,
                .integer(instant.microseconds),
                .integer(Int64(max(0, limit))),
                .integer(await leases.number ?? 0)
            )
        )[0]
        var due: [SessionID] = []
        for row in 0..<found.count {
            guard let session = found.text(row, 0).flatMap({ SessionID($0) }) else {
                throw .corrupt(
                    stream: nil,
                    sequence: nil,
                    reason: "a row of sessions has no identity"
                )
            }
            due.append(session)
        }
        return due
    }
}

extension PQValue {
    static func optional(_ text: String?) -> PQValue { text.map { .text($0) } ?? .null }
    static func optional(_ integer: Int64?) -> PQValue { integer.map { .integer($0) } ?? .null }
}
