public import EventLog

extension SQLiteEventStore {
    /// Writes what was derived from logs into rows that still describe the same event.
    public func replaceRows(_ rows: [SessionSummary]) async throws(EventStoreError) -> Int {
        guard !isReadOnly else { throw .readOnly }
        guard !rows.isEmpty else { return 0 }
        return try await writer.transaction { connection in
            let update = try connection.statement(
                """
                UPDATE sessions SET facts = ?3, phase = ?4, outcome = ?5, settled = ?6, opened_at = ?7,
                    last_at = ?8, reference = ?9, label = ?10, problem = ?11, due_at = ?12, imported = ?13
                WHERE id = ?1 AND last_seq = ?2 RETURNING key
                """
            )
            defer { update.reset() }
            var written: [Int64] = []
            for row in rows {
                update.bind(text: row.session.description, at: 1)
                update.bind(sequence: row.lastSequence, at: 2)
                SQLiteRows.bind(row.facts, of: connection.columns.model, to: update, at: 3)
                update.bind(text: row.phase, at: 4)
                update.bind(text: row.outcome, at: 5)
                update.bind(row.isSettled ? 1 : 0, at: 6)
                update.bind(row.openedAt.microseconds, at: 7)
                update.bind(row.lastAt.microseconds, at: 8)
                update.bind(text: row.reference, at: 9)
                update.bind(text: row.label, at: 10)
                update.bind(text: row.problem, at: 11)
                update.bind(row.dueAt?.microseconds, at: 12)
                update.bind(row.origin == .imported ? 1 : 0, at: 13)
                if try update.step() {
                    written.append(update.integer(0))
                    _ = try update.step()
                }
                update.reset()
            }
            try SQLiteLists(connection).copyCounted(written)
            return written.count
        }
    }

    /// Returns the sessions that no sum says enough about (``ReadModel/apart``).
    public func sessionsToSum(
        _ query: SessionQuery
    ) async throws(EventStoreError) -> [SessionSummary] {
        await catchUp()
        return try await readers.read { connection in
            let rows = try Self.statement(
                "SELECT \(connection.columns.readListed)",
                Self.isApart(connection.columns.model),
                "",
                query,
                on: connection
            )
            defer { rows.reset() }
            var summaries: [SessionSummary] = []
            while try rows.step() {
                summaries.append(try SQLiteRows.summary(in: rows, of: connection.columns.model))
            }
            return summaries
        }
    }

    /// Whether a row is one that no sum says enough about; each condition has an index.
    private static func isApart(_ model: ReadModel) -> String {
        guard !model.apart.isEmpty else { return "false" }
        let keys = model.isApart.map { "SELECT key FROM listed_sessions WHERE \($0)" }
        return "key IN (\(keys.joined(separator: " UNION ")))"
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
            ),
            of: connection.columns,
            isBounded: false
        )
        let statement = try connection.statement(
            "\(selection) FROM listed_sessions\(conditions.clause) AND \(condition) \(end)"
        )
        var index: Int32 = 1
        for value in conditions.values {
            value.bind(to: statement, at: index)
            index += 1
        }
        return statement
    }
}
