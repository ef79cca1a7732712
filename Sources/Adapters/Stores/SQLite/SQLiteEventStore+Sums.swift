public import EventLog

extension SQLiteEventStore {
    /// Returns the sums of sessions whose money is confirmed and that count on their own.
    public func confirmedSums(_ query: SessionQuery) async throws(EventStoreError) -> [FactsSum] {
        let pieces = SumPieces(query)
        return try await readers.read { connection in
            // One reading for all statements.
            try connection.execute("BEGIN")
            defer { connection.rollBack() }
            let rows = try Self.parts(
                """
                SELECT host, currency, sessions, known, net_high, net_low, since FROM money_sums
                WHERE sessions <> 0 AND hour >= ? AND hour < ?
                """,
                """
                SELECT host, coalesce(currency, ''), \(SQLiteSums.money()) FROM sessions
                WHERE \(SumConditions.isConfirmed())
                """,
                pieces,
                query,
                "host, currency, sum(column3), sum(column4), sum(column5), sum(column6), min(column7)",
                "host, currency",
                on: connection
            )
            defer { rows.reset() }
            var sums: [FactsSum] = []
            while try rows.step() {
                guard let host = rows.text(0), let currency = rows.text(1) else { continue }
                // The two halves of the amounts: their sums do not overflow, whereas sum() of the
                // amounts could fail.
                let high = rows.integer(4).multipliedReportingOverflow(by: 1 << 31)
                let net = high.partialValue.addingReportingOverflow(rows.integer(5))
                let oldest = try Self.oldest(host, currency, pieces, query, on: connection)
                guard let oldest else { continue }
                sums.append(
                    FactsSum(
                        host: host,
                        currency: currency.isEmpty ? nil : currency,
                        sessions: rows.integer(2),
                        net: high.overflow || net.overflow ? nil : net.partialValue,
                        withoutAmount: rows.integer(2) - rows.integer(3),
                        oldestSince: oldest.since,
                        oldest: oldest.session
                    )
                )
            }
            return sums
        }
    }

    /// The sessions of one host and currency that have been confirmed longest.
    ///
    /// The hours are searched in the order of the times before which none of their sessions was
    /// confirmed, as far as there can be an older one.
    private static func oldest(
        _ host: String,
        _ currency: String,
        _ pieces: SumPieces,
        _ query: SessionQuery,
        on connection: SQLiteConnection
    ) throws -> (since: Instant, session: SessionID)? {
        let origin = query.origin.map { " AND imported = \($0 == .imported ? 1 : 0)" } ?? ""
        let isOfGroup =
            "\(SumConditions.isConfirmed()) AND +host = ?1 AND coalesce(currency, '') = ?2"
        // Most sessions have one host, so its index is no way to those of an hour.
        let end = "ORDER BY money_since, id LIMIT 1"
        var best: (since: Int64, session: SessionID)?
        func compare(_ condition: String, _ numbers: [Int64]) throws {
            let row = try connection.statement(
                "SELECT money_since, id FROM sessions WHERE \(isOfGroup)\(origin) AND \(condition) \(end)"
            )
            defer { row.reset() }
            row.bind(text: host, at: 1)
            row.bind(text: currency, at: 2)
            for (index, number) in numbers.enumerated() { row.bind(number, at: Int32(index) + 3) }
            guard try row.step() else { return }
            let found = (since: row.integer(0), session: try SQLiteRows.session(in: row, at: 1))
            if best.map({ found < $0 }) ?? true { best = found }
        }
        for edge in pieces.edges {
            try compare("opened_at >= ?3 AND opened_at < ?4", [edge.lowerBound, edge.upperBound])
        }
        try compare(
            Self.isPending + " AND +opened_at >= ?3 AND +opened_at < ?4",
            [pieces.times.lowerBound, pieces.times.upperBound]
        )
        let hours = try connection.statement(
            """
            SELECT hour, since FROM money_sums WHERE host = ?1 AND currency = ?2\(origin)
                AND sessions <> 0 AND hour >= ?3 AND hour < ?4
            ORDER BY since, hour
            """
        )
        defer { hours.reset() }
        hours.bind(text: host, at: 1)
        hours.bind(text: currency, at: 2)
        hours.bind(pieces.hours.lowerBound, at: 3)
        hours.bind(pieces.hours.upperBound, at: 4)
        while try hours.step(), hours.integer(1) <= best?.since ?? .max {
            let start = hours.integer(0) * SumPieces.hour
            try compare("opened_at >= ?3 AND opened_at < ?4", [start, start + SumPieces.hour])
        }
        return best.map { (Instant(microseconds: $0.since), $0.session) }
    }

    /// Returns the numbers of sessions that are over and have facts.
    public func endedCounts(_ query: SessionQuery) async throws(EventStoreError) -> [EndedCount] {
        let pieces = SumPieces(query)
        return try await readers.read { connection in
            let rows = try Self.parts(
                """
                SELECT outcome, instrument, standing, marks, sessions FROM ended_sums
                WHERE sessions <> 0 AND hour >= ? AND hour < ?
                """,
                """
                SELECT \(SumConditions.ending()), 1 FROM sessions WHERE \(SumConditions.isEnded())
                """,
                pieces,
                query,
                "outcome, instrument, standing, marks, sum(column5)",
                "outcome, instrument, standing, marks",
                on: connection
            )
            defer { rows.reset() }
            var counts: [EndedCount] = []
            while try rows.step() {
                func text(_ column: Int32) -> String? {
                    rows.text(column).flatMap { $0.isEmpty ? nil : $0 }
                }
                counts.append(
                    EndedCount(
                        outcome: text(0),
                        label: text(1),
                        money: text(2),
                        marks: rows.integer(3),
                        sessions: rows.integer(4)
                    )
                )
            }
            return counts
        }
    }

    /// The rows that the tables of sums do not contain yet.
    private static let isPending = """
        key > (SELECT done FROM sums_progress) AND key <= (SELECT last FROM sums_progress)
        """

    /// The kept sums of whole hours, the rows of the edges, and the rows that were not added yet,
    /// as one statement with its values.
    private static func parts(
        _ kept: String,
        _ single: String,
        _ pieces: SumPieces,
        _ query: SessionQuery,
        _ selection: String,
        _ group: String,
        on connection: SQLiteConnection
    ) throws(SQLiteFailure) -> SQLiteStatement {
        let origin = query.origin.map { " AND imported = \($0 == .imported ? 1 : 0)" } ?? ""
        let names = group.split(separator: ", ").map(String.init)
        let count = names.count == 2 ? 7 : 5
        let columns = (1...count).map { $0 <= names.count ? names[$0 - 1] : "column\($0)" }
        var parts = [
            kept + origin,
            "\(single)\(origin) AND \(isPending) AND +opened_at >= ? AND +opened_at < ?",
        ]
        var values = [
            pieces.hours.lowerBound, pieces.hours.upperBound, pieces.times.lowerBound,
            pieces.times.upperBound,
        ]
        for edge in pieces.edges {
            parts.append("\(single)\(origin) AND opened_at >= ? AND opened_at < ?")
            values += [edge.lowerBound, edge.upperBound]
        }
        let statement = try connection.statement(
            """
            WITH parts (\(columns.joined(separator: ", "))) AS (\(parts.joined(separator: " UNION ALL ")))
            SELECT \(selection) FROM parts GROUP BY \(group) ORDER BY \(group)
            """
        )
        for (index, value) in values.enumerated() { statement.bind(value, at: Int32(index) + 1) }
        return statement
    }

    /// Returns how many sessions with facts are open, and in how many of them something has been
    /// due since a time.
    public func openCount(
        _ query: SessionQuery,
        overdueSince instant: Instant
    ) async throws(EventStoreError) -> OpenCount {
        try await readers.read { connection in
            let conditions = SQLiteConditions(
                query.ofOpenSessions,
                isBounded: false
            )
            let row = try connection.statement(
                "SELECT sum(due_at <= ?), count(*) FROM sessions\(conditions.clause)"
            )
            defer { row.reset() }
            row.bind(instant.microseconds, at: 1)
            for (index, value) in conditions.values.enumerated() {
                value.bind(to: row, at: Int32(index) + 2)
            }
            guard try row.step() else { return OpenCount(sessions: 0, overdue: 0) }
            return OpenCount(sessions: row.integer(1), overdue: row.integer(0))
        }
    }

    /// Adds rows to the tables of sums that these do not contain yet.
    public func sumRows(limit: Int) async throws(EventStoreError) -> Bool {
        guard !isReadOnly else { throw .readOnly }
        return try await writer.transaction { connection in
            let newest = try connection.integer(
                """
                SELECT coalesce(max(key), 0) FROM (SELECT key FROM sessions WHERE \(Self.isPending)
                    ORDER BY key LIMIT \(max(1, limit)))
                """
            )
            let next = newest.flatMap { $0 > 0 ? $0 : nil }
            if let next {
                let isNext = "\(Self.isPending) AND key <= \(next)"
                try connection.execute(
                    """
                    \(SQLiteSums.addMoney) SELECT opened_at / \(SQLiteSums.hour), imported, host,
                        coalesce(currency, ''), count(*), count(net), sum(coalesce(net >> 31, 0)),
                        sum(coalesce(net & 2147483647, 0)), min(money_since) FROM sessions
                    WHERE \(SumConditions.isConfirmed()) AND \(isNext) GROUP BY 1, 2, 3, 4
                    \(SQLiteSums.mergeMoney);
                    \(SQLiteSums.addEnded) SELECT opened_at / \(SQLiteSums.hour), imported,
                        \(SumConditions.ending()), count(*) FROM sessions
                    WHERE \(SumConditions.isEnded()) AND \(isNext) GROUP BY 1, 2, 3, 4, 5, 6
                    \(SQLiteSums.mergeEnded);
                    """
                )
            }
            try connection.execute(
                "UPDATE sums_progress SET done = \(next.map { "\($0)" } ?? "last")"
            )
            return next != nil
        }
    }

    /// Empties the tables of sums, so that all rows are added again.
    public func restartSums() async throws(EventStoreError) {
        guard !isReadOnly else { throw .readOnly }
        try await writer.transaction { connection in
            try connection.execute(
                """
                DELETE FROM money_sums;
                DELETE FROM ended_sums;
                INSERT OR REPLACE INTO sums_progress SELECT 1, 0, coalesce(max(key), 0) FROM sessions;
                """
            )
        }
    }

    /// Compares the tables of sums with the rows.
    public func sumsCheck(_ query: SessionQuery) async throws(EventStoreError) -> SumsCheck {
        let times = (query.since?.microseconds ?? .min, query.until?.microseconds ?? .max)
        return try await readers.read { connection in
            try connection.execute("BEGIN")
            defer { connection.rollBack() }
            let pending = try connection.integer(
                "SELECT EXISTS (SELECT 1 FROM sessions WHERE \(Self.isPending))"
            )
            let isWithin = """
                (key <= (SELECT done FROM sums_progress) OR key > (SELECT last FROM sums_progress))
                    AND opened_at >= ?1 AND opened_at < ?2
                """
            let hours = "hour >= ?1 / \(SQLiteSums.hour) AND hour * \(SQLiteSums.hour) < ?2"
            let rows = try connection.statement(
                """
                WITH money AS (
                    SELECT opened_at / \(SQLiteSums.hour) AS hour, imported, host,
                        coalesce(currency, '') AS currency, count(*) AS sessions, count(net),
                        sum(coalesce(net >> 31, 0)), sum(coalesce(net & 2147483647, 0))
                    FROM sessions WHERE \(SumConditions.isConfirmed()) AND \(isWithin) GROUP BY 1, 2, 3, 4
                ), money_kept AS (
                    SELECT hour, imported, host, currency, sessions, known, net_high, net_low
                    FROM money_sums WHERE sessions <> 0 AND \(hours)
                ), ended AS (
                    SELECT opened_at / \(SQLiteSums.hour) AS hour, imported, \(SumConditions.ending()), count(*)
                    FROM sessions WHERE \(SumConditions.isEnded()) AND \(isWithin) GROUP BY 1, 2, 3, 4, 5, 6
                ), ended_kept AS (
                    SELECT hour, imported, outcome, instrument, standing, marks, sessions
                    FROM ended_sums WHERE sessions <> 0 AND \(hours)
                )
                SELECT DISTINCT hour FROM (
                    SELECT hour FROM (SELECT * FROM money EXCEPT SELECT * FROM money_kept)
                    UNION ALL SELECT hour FROM (SELECT * FROM money_kept EXCEPT SELECT * FROM money)
                    UNION ALL SELECT hour FROM (SELECT * FROM ended EXCEPT SELECT * FROM ended_kept)
                    UNION ALL SELECT hour FROM (SELECT * FROM ended_kept EXCEPT SELECT * FROM ended)
                    UNION ALL SELECT s.opened_at / \(SQLiteSums.hour) FROM sessions s JOIN money_sums m
                        ON m.hour = s.opened_at / \(SQLiteSums.hour) AND m.imported = s.imported
                        AND m.host = +s.host AND m.currency = coalesce(s.currency, '')
                    WHERE s.money_since < m.since AND \(SumConditions.isConfirmed("s.")) AND \(isWithin)
                ) ORDER BY hour
                """
            )
            defer { rows.reset() }
            rows.bind(times.0, at: 1)
            rows.bind(times.1, at: 2)
            var check = SumsCheck(isComplete: pending == 0)
            while try rows.step() {
                check.hours.append(Instant(microseconds: rows.integer(0) * SQLiteSums.hour))
            }
            return check
        }
    }
}
