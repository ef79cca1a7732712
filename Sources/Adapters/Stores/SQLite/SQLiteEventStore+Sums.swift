public import EventLog

extension SQLiteEventStore {
    /// Returns the sums of sessions whose money is confirmed and that count on their own.
    public func confirmedSums(_ query: SessionQuery) async throws(EventStoreError) -> [FactsSum] {
        let pieces = SumPieces(query)
        await catchUp()
        return try await readers.read { connection in
            // One reading for all statements.
            try connection.execute("BEGIN")
            defer { connection.rollBack() }
            let rows = try Self.parts(
                "SELECT host, currency, sessions, known, net_high, net_low, since FROM money",
                """
                SELECT host, coalesce(currency, ''), \(SQLiteSums.money()) FROM listed_sessions
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
    /// The hours, and the hours of days, are searched in the order of the times before which none
    /// of their sessions was confirmed, as far as there can be an older one.
    private static func oldest(
        _ host: String,
        _ currency: String,
        _ pieces: SumPieces,
        _ query: SessionQuery,
        on connection: SQLiteConnection
    ) throws -> (since: Instant, session: SessionID)? {
        let isOfGroup =
            "\(SumConditions.isConfirmed()) AND +host = ?1 AND coalesce(currency, '') = ?2"
        // Most sessions have one host, so its index is no way to those of an hour.
        let end = "ORDER BY money_since, id LIMIT 1"
        var best: (since: Int64, session: SessionID)?
        func compare(_ condition: String, _ numbers: [Int64]) throws {
            let row = try connection.statement(
                "SELECT money_since, id FROM listed_sessions WHERE \(isOfGroup)\(origin(query)) AND \(condition) \(end)"
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
        func search(_ spans: [SumSpan]) throws {
            let kept = try keptTimes(of: host, currency, in: spans, query, on: connection)
            defer { kept.reset() }
            while try kept.step(), kept.integer(2) <= best?.since ?? .max {
                let hours = kept.integer(0)..<kept.integer(0) + kept.integer(1)
                guard hours.count == 1 else {
                    try search([SumSpan(length: .hour, numbers: hours)])
                    continue
                }
                let start = hours.lowerBound * SumPieces.hour
                try compare("opened_at >= ?3 AND opened_at < ?4", [start, start + SumPieces.hour])
            }
        }
        try search(pieces.spans)
        return best.map { (Instant(microseconds: $0.since), $0.session) }
    }

    /// Of each kept sum of one host and currency: its first hour, the number of its hours, and the
    /// time before which none of its sessions was confirmed; in the order of these times.
    private static func keptTimes(
        of host: String,
        _ currency: String,
        in spans: [SumSpan],
        _ query: SessionQuery,
        on connection: SQLiteConnection
    ) throws(SQLiteFailure) -> SQLiteStatement {
        let parts = spans.map { span in
            """
            SELECT \(span.length) * \(span.length.hours) AS first, \(span.length.hours) AS hours, since
            FROM money\(isKept(in: span, query)) AND host = ? AND currency = ?
            """
        }
        let statement = try connection.statement(
            parts.joined(separator: " UNION ALL ") + " ORDER BY since, first"
        )
        var place: Int32 = 1
        for span in spans {
            statement.bind(span.numbers.lowerBound, at: place)
            statement.bind(span.numbers.upperBound, at: place + 1)
            statement.bind(text: host, at: place + 2)
            statement.bind(text: currency, at: place + 3)
            place += 4
        }
        return statement
    }

    /// Returns the numbers of sessions that are over and have facts.
    public func endedCounts(_ query: SessionQuery) async throws(EventStoreError) -> [EndedCount] {
        let pieces = SumPieces(query)
        await catchUp()
        return try await readers.read { connection in
            let rows = try Self.parts(
                "SELECT outcome, instrument, standing, marks, sessions FROM ended",
                """
                SELECT \(SumConditions.ending()), 1 FROM listed_sessions WHERE \(SumConditions.isEnded())
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

    /// A condition on the origin of sessions.
    private static func origin(_ query: SessionQuery) -> String {
        query.origin.map { " AND imported = \($0 == .imported ? 1 : 0)" } ?? ""
    }

    /// The rest of a statement that reads kept sums: which table, after `money` or `ended`, and
    /// which of its rows.
    private static func isKept(in span: SumSpan, _ query: SessionQuery) -> String {
        """
        _\(span.length == .hour ? "sums" : "days") WHERE sessions <> 0\(origin(query))
            AND \(span.length) >= ? AND \(span.length) < ?
        """
    }

    /// The kept sums of whole days and hours, the rows of the edges, and the rows that were not
    /// added yet, as one statement with its values.
    private static func parts(
        _ kept: String,
        _ single: String,
        _ pieces: SumPieces,
        _ query: SessionQuery,
        _ selection: String,
        _ group: String,
        on connection: SQLiteConnection
    ) throws(SQLiteFailure) -> SQLiteStatement {
        let names = group.pieces(between: ", ").map(String.init)
        let count = names.count == 2 ? 7 : 5
        let columns = (1...count).map { $0 <= names.count ? names[$0 - 1] : "column\($0)" }
        let counted = single + origin(query)
        var parts = ["\(counted) AND \(isPending) AND +opened_at >= ? AND +opened_at < ?"]
        var values = [pieces.times.lowerBound, pieces.times.upperBound]
        for span in pieces.spans {
            parts.append(kept + isKept(in: span, query))
            values += [span.numbers.lowerBound, span.numbers.upperBound]
        }
        for edge in pieces.edges {
            parts.append("\(counted) AND opened_at >= ? AND opened_at < ?")
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

    /// Returns how many sessions with facts are open.
    public func openCount(_ query: SessionQuery) async throws(EventStoreError) -> Int64 {
        await catchUp()
        return try await readers.read { connection in
            let conditions = SQLiteConditions(
                query.ofOpenSessions,
                isBounded: false
            )
            let row = try connection.statement(
                "SELECT count(*) FROM listed_sessions\(conditions.clause)"
            )
            defer { row.reset() }
            for (index, value) in conditions.values.enumerated() {
                value.bind(to: row, at: Int32(index) + 1)
            }
            return try row.step() ? row.integer(0) : 0
        }
    }

    /// Adds rows to the tables of sums that these do not contain yet.
    public func sumRows(limit: Int) async throws(EventStoreError) -> Bool {
        guard !isReadOnly else { throw .readOnly }
        return try await writer.transaction { connection in
            let newest = try connection.integer(
                """
                SELECT coalesce(max(key), 0) FROM (SELECT key FROM listed_sessions WHERE \(Self.isPending)
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
                        sum(coalesce(net & 2147483647, 0)), min(money_since) FROM listed_sessions
                    WHERE \(SumConditions.isConfirmed()) AND \(isNext) GROUP BY 1, 2, 3, 4
                    \(SQLiteSums.mergeMoney);
                    \(SQLiteSums.addEnded) SELECT opened_at / \(SQLiteSums.hour), imported,
                        \(SumConditions.ending()), count(*) FROM listed_sessions
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
        await catchUp()
        try await writer.transaction { connection in
            // Days first: then the removal of hours finds none to change.
            try connection.execute(
                """
                DELETE FROM money_days;
                DELETE FROM ended_days;
                DELETE FROM money_sums;
                DELETE FROM ended_sums;
                INSERT OR REPLACE INTO sums_progress SELECT 1, 0, coalesce(max(key), 0) FROM listed_sessions;
                """
            )
        }
    }

    /// The first hours of the days within a time whose sums are not those of their hours.
    ///
    /// Hours count positively and days negatively.
    private static func differentDays(_ sums: String, _ key: String, _ further: String) -> String {
        let amounts = sums == "money" ? ", known, net_high, net_low, since" : ""
        let values = "imported, \(key), sessions\(amounts)"
        let (day, length) = (SumLength.day.hours, SumLength.day.microseconds)
        return """
            SELECT day * \(day) FROM (
                SELECT hour / \(day) AS day, 1 AS sign, \(values) FROM \(sums)_sums WHERE sessions <> 0
                    AND hour >= ?1 / \(length) * \(day) AND hour < (?2 / \(length) + 1) * \(day)
                UNION ALL SELECT day, -1, \(values) FROM \(sums)_days WHERE sessions <> 0
                    AND day >= ?1 / \(length) AND day <= ?2 / \(length)
            ) WHERE day * \(length) < ?2
            GROUP BY day, imported, \(key) HAVING sum(sessions * sign) <> 0 \(further)
            """
    }
    private static let moneyDifference = """
        OR sum(known * sign) <> 0 OR sum(net_high * sign) <> 0 OR sum(net_low * sign) <> 0
            OR min(since) FILTER (WHERE sign > 0) < min(since) FILTER (WHERE sign < 0)
        """

    /// Compares the tables of sums with the rows.
    public func sumsCheck(_ query: SessionQuery) async throws(EventStoreError) -> SumsCheck {
        await catchUp()
        let times = (query.since?.microseconds ?? .min, query.until?.microseconds ?? .max)
        return try await readers.read { connection in
            try connection.execute("BEGIN")
            defer { connection.rollBack() }
            let pending = try connection.integer(
                "SELECT EXISTS (SELECT 1 FROM listed_sessions WHERE \(Self.isPending))"
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
                    FROM listed_sessions WHERE \(SumConditions.isConfirmed()) AND \(isWithin) GROUP BY 1, 2, 3, 4
                ), money_kept AS (
                    SELECT hour, imported, host, currency, sessions, known, net_high, net_low
                    FROM money_sums WHERE sessions <> 0 AND \(hours)
                ), ended AS (
                    SELECT opened_at / \(SQLiteSums.hour) AS hour, imported, \(SumConditions.ending()), count(*)
                    FROM listed_sessions WHERE \(SumConditions.isEnded()) AND \(isWithin) GROUP BY 1, 2, 3, 4, 5, 6
                ), ended_kept AS (
                    SELECT hour, imported, outcome, instrument, standing, marks, sessions
                    FROM ended_sums WHERE sessions <> 0 AND \(hours)
                )
                SELECT DISTINCT hour FROM (
                    SELECT hour FROM (SELECT * FROM money EXCEPT SELECT * FROM money_kept)
                    UNION ALL SELECT hour FROM (SELECT * FROM money_kept EXCEPT SELECT * FROM money)
                    UNION ALL SELECT hour FROM (SELECT * FROM ended EXCEPT SELECT * FROM ended_kept)
                    UNION ALL SELECT hour FROM (SELECT * FROM ended_kept EXCEPT SELECT * FROM ended)
                    UNION ALL SELECT s.opened_at / \(SQLiteSums.hour) FROM listed_sessions s JOIN money_sums m
                        ON m.hour = s.opened_at / \(SQLiteSums.hour) AND m.imported = s.imported
                        AND m.host = +s.host AND m.currency = coalesce(s.currency, '')
                    WHERE s.money_since < m.since AND \(SumConditions.isConfirmed("s.")) AND \(isWithin)
                    UNION ALL \(Self.differentDays("money", "host, currency", Self.moneyDifference))
                    UNION ALL \(Self.differentDays("ended", "outcome, instrument, standing, marks", ""))
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
