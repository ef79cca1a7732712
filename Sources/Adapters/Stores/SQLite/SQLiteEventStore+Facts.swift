public import EventLog

extension SQLiteEventStore {
    /// Writes facts derived from logs into rows that still describe the same event.
    public func replaceFacts(of rows: [SessionSummary]) async throws(EventStoreError) -> Int {
        guard !isReadOnly else { throw .readOnly }
        guard !rows.isEmpty else { return 0 }
        return try await writer.work { connection in
            let parameters = (0..<12).map { "?\($0 + 3)" }.joined(separator: ", ")
            let update = try connection.statement(
                """
                UPDATE sessions SET (\(SQLiteRows.factsColumns)) = (\(parameters))
                WHERE id = ?1 AND last_seq = ?2 RETURNING key
                """
            )
            try connection.execute("BEGIN IMMEDIATE")
            do {
                var written = 0
                for row in rows {
                    update.bind(text: row.session.description, at: 1)
                    update.bind(row.lastSequence, at: 2)
                    SQLiteRows.bind(row.facts, to: update, from: 3)
                    if try update.step() {
                        written += 1
                        _ = try update.step()
                    }
                    update.reset()
                }
                try connection.execute("COMMIT")
                return written
            } catch {
                update.reset()
                connection.rollBack()
                throw error
            }
        }
    }

    /// Returns the sums of sessions whose money is confirmed and that count on their own.
    public func confirmedSums(_ query: SessionQuery) async throws(EventStoreError) -> [FactsSum] {
        try await readers.read { connection in
            // The two halves of the amounts: their sums do not overflow, whereas sum() of the
            // amounts could fail.
            let rows = try Self.statement(
                """
                SELECT host, currency, count(*), sum(net >> 31), sum(net & 0x7FFFFFFF), count(net),
                    min(printf('%020d', money_since) || id)
                """,
                "money = 'confirmed' AND marks = 0 AND counts_with IS NULL",
                "GROUP BY host, currency",
                query,
                on: connection
            )
            defer { rows.reset() }
            var sums: [FactsSum] = []
            while try rows.step() {
                let high = rows.integer(3).multipliedReportingOverflow(by: 1 << 31)
                let net = high.partialValue.addingReportingOverflow(rows.integer(4))
                let sum = FactsSum(
                    rows.text(0),
                    rows.text(1),
                    sessions: rows.integer(2),
                    net: high.overflow || net.overflow ? nil : net.partialValue,
                    known: rows.integer(5),
                    oldest: rows.text(6)
                )
                if let sum { sums.append(sum) }
            }
            return sums
        }
    }

    /// Returns the sessions that ``confirmedSums(_:)`` excludes and that affect a sum.
    public func sessionsToSum(
        _ query: SessionQuery
    ) async throws(EventStoreError) -> [SessionSummary] {
        try await readers.read { connection in
            let rows = try Self.statement(
                "SELECT \(SQLiteRows.summaryColumns)",
                """
                (money IN ('intended', 'underWay', 'unknown') OR marks <> 0 OR counts_with IS NOT NULL)
                """,
                "",
                query,
                on: connection
            )
            defer { rows.reset() }
            var summaries: [SessionSummary] = []
            while try rows.step() { summaries.append(try SQLiteRows.summary(in: rows)) }
            return summaries
        }
    }

    /// A statement over the rows with facts that were opened in the query's time.
    private static func statement(
        _ selection: String,
        _ condition: String,
        _ end: String,
        _ query: SessionQuery,
        on connection: SQLiteConnection
    ) throws(SQLiteFailure) -> SQLiteStatement {
        let conditions = SQLiteConditions(
            SessionQuery(
                hasFacts: true,
                since: query.since,
                until: query.until,
                origin: query.origin
            )
        )
        let statement = try connection.statement(
            "\(selection) FROM sessions\(conditions.clause) AND \(condition) \(end)"
        )
        var index: Int32 = 1
        for value in conditions.values {
            value.bind(to: statement, at: index)
            index += 1
        }
        return statement
    }
}
