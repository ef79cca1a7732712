public import EventLog

extension SQLiteEventStore {
    /// Writes what was derived from logs into rows that still describe the same event.
    public func replaceRows(_ rows: [SessionSummary]) async throws(EventStoreError) -> Int {
        guard !isReadOnly else { throw .readOnly }
        guard !rows.isEmpty else { return 0 }
        return try await writer.transaction { connection in
            let names = [
                "phase", "outcome", "settled", "opened_at", "last_at", "reference", "instrument",
                "problem", "due_at", "imported",
            ]
            let first = 3 + SQLiteRows.factsCount
            let parameters = (3..<first + Int32(names.count)).map { "?\($0)" }
            let update = try connection.statement(
                """
                UPDATE sessions SET (\(SQLiteRows.factsColumns), \(names.joined(separator: ", ")))
                    = (\(parameters.joined(separator: ", ")))
                WHERE id = ?1 AND last_seq = ?2 RETURNING key
                """
            )
            defer { update.reset() }
            var written: [Int64] = []
            for row in rows {
                update.bind(text: row.session.description, at: 1)
                update.bind(sequence: row.lastSequence, at: 2)
                SQLiteRows.bind(row.facts, to: update, from: 3)
                update.bind(text: row.phase, at: first)
                update.bind(text: row.outcome, at: first + 1)
                update.bind(row.isSettled ? 1 : 0, at: first + 2)
                update.bind(row.openedAt.microseconds, at: first + 3)
                update.bind(row.lastAt.microseconds, at: first + 4)
                update.bind(text: row.reference, at: first + 5)
                update.bind(text: row.label, at: first + 6)
                update.bind(text: row.problem, at: first + 7)
                update.bind(row.dueAt?.microseconds, at: first + 8)
                update.bind(row.origin == .imported ? 1 : 0, at: first + 9)
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

    /// Returns the sessions that ``confirmedSums(_:)`` excludes and that affect a sum.
    public func sessionsToSum(
        _ query: SessionQuery
    ) async throws(EventStoreError) -> [SessionSummary] {
        await catchUp()
        return try await readers.read { connection in
            let rows = try Self.statement(
                "SELECT \(SQLiteRows.summaryColumns)",
                Self.isApart,
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

    /// Whether a row is one that no sum says enough about; each condition has an index.
    private static let isApart: String = {
        let model = SQLiteSchema.sums.model
        guard !model.apart.isEmpty else { return "false" }
        let keys = model.isApart.map { "SELECT key FROM listed_sessions WHERE \($0)" }
        return "key IN (\(keys.joined(separator: " UNION ")))"
    }()

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
