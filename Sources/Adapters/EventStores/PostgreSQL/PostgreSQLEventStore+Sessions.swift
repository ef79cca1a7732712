public import EventLog

extension PostgreSQLEventStore {
    /// Sessions held by another living node are skipped.
    static let due = PQStatement(
        "due",
        """
        SELECT id::text FROM sessions s WHERE due_at <= $1 AND NOT EXISTS (
            SELECT 1 FROM leases l JOIN nodes n ON n.id = l.node
            WHERE l.session = s.id AND l.node <> $3 AND n.until >= \(PostgreSQLLeaseStatements.now))
        ORDER BY due_at, s.id LIMIT $2
        """,
        .integer,
        .integer,
        .integer
    )

    /// The statement that reads the matching rows, newest first.
    func list(
        _ query: SessionQuery,
        isAstray: Bool,
        behindBy records: Int64 = 0
    ) -> PQCommand {
        let table = query.isOfEngines ? "sessions" : lists.table(behindBy: records)
        let columns = lists.columns
        return PostgreSQLConditions(query, of: columns, isAstray: isAstray).command(
            "sessions",
            "SELECT \(query.isOfEngines ? columns.readWritten : columns.readListed) FROM \(table) AS listed",
            // By the table's column: 'id' alone is the text that is read, which no index has.
            "ORDER BY listed.id DESC LIMIT",
            .integer(Int64(max(0, query.limit)))
        )
    }

    /// Returns the row of a session, or `nil` when there is none.
    public func row(of session: SessionID) async throws(EventStoreError) -> SessionSummary? {
        let found = try await rows(PQCommand(lists.row, .text("\(session)")))[0]
        return found.count > 0 ? try summary(in: found, 0) : nil
    }

    /// Returns the matching rows, newest first (by identity, which begins with the time).
    public func sessions(
        matching query: SessionQuery
    ) async throws(EventStoreError) -> [SessionSummary] {
        let lag = query.isOfEngines ? 0 : await catchUp()
        let found = try await listed(query, isAstray: false, behindBy: lag)
        guard query.since != nil || query.until != nil else { return found }
        let astray = try await listed(query, isAstray: true, behindBy: lag)
        guard !astray.isEmpty else { return found }
        let known = Set(found.map(\.session))
        let all = found + astray.filter { !known.contains($0.session) }
        return Array(all.sorted { $0.session > $1.session }.prefix(max(0, query.limit)))
    }

    private func listed(
        _ query: SessionQuery,
        isAstray: Bool,
        behindBy records: Int64
    ) async throws(EventStoreError) -> [SessionSummary] {
        let list = self.list(query, isAstray: isAstray, behindBy: records)
        let found = try await rows(list)[0]
        var summaries: [SessionSummary] = []
        for row in 0..<found.count { summaries.append(try summary(in: found, row)) }
        return summaries
    }

    func summary(
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
            lastSequence: rows.sequence(row, 4) ?? 0,
            openedAt: Instant(microseconds: rows.integer(row, 5) ?? 0),
            lastAt: Instant(microseconds: rows.integer(row, 6) ?? 0),
            reference: rows.text(row, 7),
            label: rows.text(row, 8),
            problem: rows.text(row, 9),
            dueAt: rows.integer(row, 10).map(Instant.init(microseconds:)),
            addressFingerprint: rows.isNull(row, 11)
                ? nil : rows.withBytes(row, 11, Digest256.init(stored:)),
            headMAC: rows.isNull(row, 12) ? nil : rows.withBytes(row, 12, Digest256.init(stored:)),
            origin: rows.integer(row, 13) == 0 ? .own : .imported,
            facts: rows.isNull(row, 14)
                ? nil
                : SessionFacts(encoded: rows.bytes(row, 14), of: lists.columns.model)
        )
    }

    /// Returns the sessions with something due that no other living node holds, the longest overdue
    /// first.
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
