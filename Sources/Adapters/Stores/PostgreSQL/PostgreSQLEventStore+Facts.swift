public import EventLog

extension PostgreSQLEventStore {
    private static let replaceFacts = PQStatement(
        "facts_replace",
        """
        UPDATE sessions s SET \(PostgreSQLFacts.assignments)
        FROM unnest($1, $2, \((3..<3 + PostgreSQLFacts.count).map { "$\($0)" }.joined(separator: ", ")))
            AS i (id, last_seq, \(PostgreSQLFacts.columns))
        WHERE s.id = i.id AND s.last_seq = i.last_seq
        RETURNING s.id::text
        """,
        [.identities, .integers] + PostgreSQLFacts.arrays
    )

    /// Writes facts derived from logs into rows that still describe the same event.
    public func replaceFacts(of rows: [SessionSummary]) async throws(EventStoreError) -> Int {
        guard !isReadOnly else { throw .readOnly }
        guard !rows.isEmpty else { return 0 }
        // In the order of the identities, as appends lock them.
        let rows = rows.sorted { $0.session < $1.session }
        var sessions = PQArrayWriter(of: .identity, capacity: 20 * rows.count)
        var last = PQArrayWriter(of: .integer, capacity: 12 * rows.count)
        for row in rows {
            sessions.append(row.session)
            last.append(row.lastSequence)
        }
        var command = PQCommand(Self.replaceFacts)
        command.values = [sessions.finish(), last.finish()] + PostgreSQLFacts.values(of: rows)
        return try await change([command]).first?.count ?? 0
    }

    /// Returns the sums of sessions whose money is confirmed and that count on their own.
    public func confirmedSums(_ query: SessionQuery) async throws(EventStoreError) -> [FactsSum] {
        let found = try await rows(
            Self.command(
                "sums",
                """
                SELECT host, currency, count(*), sum(net)::text, count(net),
                    min(lpad(money_since::text, 20, '0') || id::text) FROM sessions
                """,
                "AND money = 'confirmed' AND marks = 0 AND counts_with IS NULL GROUP BY host, currency",
                query
            )
        )[0]
        return (0..<found.count).compactMap { row in
            FactsSum(
                found.text(row, 0),
                found.text(row, 1),
                sessions: found.integer(row, 2) ?? 0,
                // The server's sum cannot overflow.
                net: found.text(row, 3).map { Int64($0) } ?? 0,
                known: found.integer(row, 4) ?? 0,
                oldest: found.text(row, 5)
            )
        }
    }

    /// Returns the sessions that ``confirmedSums(_:)`` excludes and that affect a sum.
    public func sessionsToSum(
        _ query: SessionQuery
    ) async throws(EventStoreError) -> [SessionSummary] {
        let found = try await rows(
            Self.command(
                "to_sum",
                "SELECT \(Self.columns) FROM sessions",
                """
                AND (money IN ('intended', 'underWay', 'unknown') OR marks <> 0 OR counts_with IS NOT NULL)
                """,
                query
            )
        )[0]
        var summaries: [SessionSummary] = []
        for row in 0..<found.count { summaries.append(try Self.summary(in: found, row)) }
        return summaries
    }

    /// A statement over the rows with facts that were opened in the query's time.
    private static func command(
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
            )
        ).command(name, beginning, end, nil)
    }
}
