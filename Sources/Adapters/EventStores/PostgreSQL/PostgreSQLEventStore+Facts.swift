public import EventLog

extension PostgreSQLEventStore {
    private static let replaceRows = PQStatement(
        "rows_replace",
        """
        UPDATE sessions s SET facts = i.facts::jsonb, phase = i.phase, outcome = i.outcome,
            settled = i.settled, opened_at = i.opened_at, last_at = i.last_at,
            reference = i.reference, label = i.label, problem = i.problem,
            due_at = i.due_at, imported = i.imported
        FROM unnest($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
            AS i (id, last_seq, facts, phase, outcome, settled, opened_at,
                last_at, reference, label, problem, due_at, imported)
        WHERE s.id = i.id AND s.last_seq = i.last_seq
        RETURNING s.id::text
        """,
        [
            .identities, .integers, .texts, .texts, .texts, .integers, .integers, .integers,
            .texts, .texts, .texts, .integers, .integers,
        ]
    )

    /// Locks rows in the order in which appends lock them.
    private static let lockRows = PQStatement(
        "rows_lock",
        "SELECT 1 FROM sessions WHERE id = ANY($1) ORDER BY id FOR NO KEY UPDATE",
        [.identities]
    )

    /// Writes what was derived from logs into rows that still describe the same event.
    public func replaceRows(_ rows: [SessionSummary]) async throws(EventStoreError) -> Int {
        guard !isReadOnly else { throw .readOnly }
        guard !rows.isEmpty else { return 0 }
        // In the order of the identities, as appends lock them.
        let rows = rows.sorted { $0.session < $1.session }
        var sessions = PQArrayWriter(of: .identity, capacity: 20 * rows.count)
        var last = PQArrayWriter(of: .integer, capacity: 12 * rows.count)
        for row in rows {
            sessions.append(row.session)
            last.append(row.lastSequence.rawValue)
        }
        var command = PQCommand(Self.replaceRows)
        let identities = sessions.finish()
        command.values = [
            identities, last.finish(),
            .texts(rows.map { PostgreSQLAppend.stored($0.facts, lists.columns.model) }),
            .texts(rows.map(\.phase)), .texts(rows.map(\.outcome)),
            .integers(rows.map { $0.isSettled ? 1 : 0 }),
            .integers(rows.map(\.openedAt.microseconds)),
            .integers(rows.map(\.lastAt.microseconds)), .texts(rows.map(\.reference)),
            .texts(rows.map(\.label)), .texts(rows.map(\.problem)),
            .integers(rows.map(\.dueAt?.microseconds)),
            .integers(rows.map { $0.origin == .imported ? 1 : 0 }),
        ]
        let done = try await change(
            [PQCommand(PostgreSQLLists.hold), PQCommand(Self.lockRows, identities), command]
                + lists.copying(identities)
        )
        return done[2].count
    }

    /// Returns the sessions that no sum says enough about (``ReadModel/apart``).
    public func sessionsToSum(
        _ query: SessionQuery
    ) async throws(EventStoreError) -> [SessionSummary] {
        await catchUp()
        let found = try await rows(
            command(
                "to_sum",
                "SELECT \(lists.columns.readListed) FROM listed_sessions",
                "AND (\((lists.columns.model.isApart + ["false"]).joined(separator: " OR ")))",
                query
            )
        )[0]
        var summaries: [SessionSummary] = []
        for row in 0..<found.count { summaries.append(try summary(in: found, row)) }
        return summaries
    }

    /// A statement over the rows with facts that were opened in the query's time.
    private func command(
        _ name: String,
        _ beginning: String,
        _ end: String,
        _ query: SessionQuery
    ) -> PQCommand {
        PostgreSQLConditions(
            SessionQuery(
                hasFacts: true,
                since: query.since,
                until: query.until,
                origin: query.origin
            ),
            of: lists.columns,
            isBounded: false
        ).command(name, beginning, end, nil)
    }
}
