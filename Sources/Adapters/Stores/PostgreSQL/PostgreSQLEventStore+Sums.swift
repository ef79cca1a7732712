public import EventLog

extension PostgreSQLEventStore {
    /// The rows that the tables of sums do not contain yet.
    private static let isPending = """
        id > (SELECT done FROM sums_progress) AND id <= (SELECT last FROM sums_progress)
        """
    /// The same, as part of a statement that also reads the tables: it costs next to no time when
    /// the tables are complete, and both parts see the same state of them.
    private static let isStillPending = """
        (SELECT done < last FROM sums_progress) AND \(isPending)
        """
    private static let pending = PQStatement(
        "sums_pending",
        """
        SELECT EXISTS (SELECT 1 FROM sums_progress WHERE done < last
            AND EXISTS (SELECT 1 FROM listed_sessions WHERE id > done AND id <= last))
        """
    )
    private static let next = """
        next AS MATERIALIZED (
            SELECT done, coalesce((SELECT id FROM listed_sessions WHERE \(isPending)
                ORDER BY id OFFSET $1 - 1 LIMIT 1), last) AS id FROM sums_progress
        )
        """
    private static let sumMoney = PQStatement(
        "sums_money",
        """
        WITH \(next) \(PostgreSQLSums.addMoney)
        SELECT opened_at / \(PostgreSQLSums.hour), imported, host, coalesce(currency, ''),
            count(*), count(net), sum(coalesce(net, 0)), min(money_since) FROM listed_sessions
        WHERE \(SumConditions.isConfirmed()) AND id > (SELECT done FROM next) AND id <= (SELECT id FROM next)
        GROUP BY 1, 2, 3, 4 \(PostgreSQLSums.mergeMoney)
        """,
        .integer
    )
    private static let sumEnded = PQStatement(
        "sums_ended",
        """
        WITH \(next) \(PostgreSQLSums.addEnded)
        SELECT opened_at / \(PostgreSQLSums.hour), imported, \(SumConditions.ending()), count(*)
        FROM listed_sessions
        WHERE \(SumConditions.isEnded()) AND id > (SELECT done FROM next) AND id <= (SELECT id FROM next)
        GROUP BY 1, 2, 3, 4, 5, 6 \(PostgreSQLSums.mergeEnded)
        """,
        .integer
    )
    private static let advanceSums = PQStatement(
        "sums_advance",
        """
        WITH \(next) UPDATE sums_progress SET done = (SELECT id FROM next) RETURNING done < last
        """,
        .integer
    )
    private static let restart = [
        PQStatement("sums_restart_money", "DELETE FROM money_sums"),
        PQStatement("sums_restart_ended", "DELETE FROM ended_sums"),
        // Afterwards, because the days follow the hours.
        PQStatement("sums_restart_money_days", "DELETE FROM money_days"),
        PQStatement("sums_restart_ended_days", "DELETE FROM ended_days"),
        PQStatement(
            "sums_restart_progress",
            """
            UPDATE sums_progress SET done = \(PostgreSQLSums.none), last = \(PostgreSQLSums.newest)
            """
        ),
    ]

    /// A condition on the origin of sessions.
    private static func origin(_ query: SessionQuery) -> String {
        query.origin.map { " AND imported = \($0 == .imported ? 1 : 0)" } ?? ""
    }

    /// Returns the sums of sessions whose money is confirmed and that count on their own.
    public func confirmedSums(_ query: SessionQuery) async throws(EventStoreError) -> [FactsSum] {
        await catchUp()
        let pieces = SumPieces(query)
        let found = try await rows(
            Self.parts(
                "SELECT host, currency, sessions, known, net, since FROM money",
                """
                SELECT host, coalesce(currency, ''), \(PostgreSQLSums.money()) FROM listed_sessions
                WHERE \(SumConditions.isConfirmed())
                """,
                pieces,
                query,
                ["host", "currency", "sessions", "known", "net", "since"],
                """
                SELECT host, currency, sum(sessions)::bigint, sum(known)::bigint, sum(net)::text
                FROM parts GROUP BY host, currency ORDER BY host COLLATE "C", currency COLLATE "C"
                """
            )
        )[0]
        var sums: [FactsSum] = []
        for row in 0..<found.count {
            guard let host = found.text(row, 0), let currency = found.text(row, 1),
                let oldest = try await oldest(host, currency, pieces, query)
            else { continue }
            let sessions = found.integer(row, 2) ?? 0
            sums.append(
                FactsSum(
                    host: host,
                    currency: currency.isEmpty ? nil : currency,
                    sessions: sessions,
                    // The server's sum cannot overflow.
                    net: found.text(row, 4).flatMap { Int64($0) },
                    withoutAmount: sessions - (found.integer(row, 3) ?? 0),
                    oldestSince: oldest.since,
                    oldest: oldest.session
                )
            )
        }
        return sums
    }

    /// The sessions of one host and currency that have been confirmed longest.
    ///
    /// The hours are searched in the order of the times before which none of their sessions was
    /// confirmed, as far as there can be an older one.
    private func oldest(
        _ host: String,
        _ currency: String,
        _ pieces: SumPieces,
        _ query: SessionQuery
    ) async throws(EventStoreError) -> (since: Instant, session: SessionID)? {
        var best: (since: Int64, session: SessionID)?
        var times = pieces.edges.map { (time: $0, condition: "") }
        times.append((pieces.times, " AND " + Self.isStillPending))
        for (time, condition) in times {
            let found = try await confirmedFirst(host, currency, time, condition, query)
            if let found, best.map({ found < $0 }) ?? true { best = found }
        }
        try await search(host, currency, pieces.spans, query, &best)
        return best.map { (Instant(microseconds: $0.since), $0.session) }
    }

    /// Searches hours, and the hours of days, as far as there can be an older session.
    private func search(
        _ host: String,
        _ currency: String,
        _ spans: [SumSpan],
        _ query: SessionQuery,
        _ best: inout (since: Int64, session: SessionID)?
    ) async throws(EventStoreError) {
        let parts = spans.enumerated().map { index, span in
            """
            SELECT '\(span.length)' AS length, \(span.length) AS number, since
            FROM money\(Self.isKept(in: span, query, firstValue: 2 * index + 3))
                AND host = $1 AND currency = $2
            """
        }
        let bounds = spans.flatMap { [$0.numbers.lowerBound, $0.numbers.upperBound] }
        let found = try await rows(
            PQCommand(
                kind: "sums_oldest",
                """
                SELECT length, number, min(since) AS since
                FROM (\(parts.joined(separator: " UNION ALL "))) AS kept
                GROUP BY length, number ORDER BY since, length, number
                """,
                [(.text, .text(host)), (.text, .text(currency))]
                    + bounds.map { (.integer, .integer($0)) }
            )
        )[0]
        for row in 0..<found.count {
            guard found.integer(row, 2) ?? 0 <= best?.since ?? .max else { break }
            let number = found.integer(row, 1) ?? 0
            guard found.text(row, 0) == SumLength.hour.rawValue else {
                let day = SumLength.day.hours
                let hours = SumSpan(length: .hour, numbers: number * day..<(number + 1) * day)
                try await search(host, currency, [hours], query, &best)
                continue
            }
            let time = number * SumPieces.hour..<(number + 1) * SumPieces.hour
            let first = try await confirmedFirst(host, currency, time, "", query)
            if let first, best.map({ first < $0 }) ?? true { best = first }
        }
    }

    private func confirmedFirst(
        _ host: String,
        _ currency: String,
        _ time: Range<Int64>,
        _ condition: String,
        _ query: SessionQuery
    ) async throws(EventStoreError) -> (since: Int64, session: SessionID)? {
        let found = try await rows(
            PQCommand(
                kind: "sums_first",
                """
                SELECT money_since, id::text FROM listed_sessions WHERE \(SumConditions.isConfirmed())
                    AND host = $1 AND coalesce(currency, '') = $2\(Self.origin(query))\(condition)
                    AND opened_at >= $3 AND opened_at < $4 ORDER BY money_since, listed_sessions.id LIMIT 1
                """,
                [
                    (.text, .text(host)), (.text, .text(currency)),
                    (.integer, .integer(time.lowerBound)), (.integer, .integer(time.upperBound)),
                ]
            )
        )[0]
        guard let since = found.integer(0, 0),
            let session = found.text(0, 1).flatMap({ SessionID($0) })
        else { return nil }
        return (since, session)
    }

    /// Returns the numbers of sessions that are over and have facts.
    public func endedCounts(_ query: SessionQuery) async throws(EventStoreError) -> [EndedCount] {
        await catchUp()
        let names = ["outcome", "instrument", "standing", "marks"]
        let found = try await rows(
            Self.parts(
                "SELECT outcome, instrument, standing, marks, sessions FROM ended",
                """
                SELECT \(SumConditions.ending()), 1::bigint FROM listed_sessions
                WHERE \(SumConditions.isEnded())
                """,
                SumPieces(query),
                query,
                names + ["sessions"],
                """
                SELECT outcome, instrument, standing, marks, sum(sessions)::bigint FROM parts
                GROUP BY 1, 2, 3, 4 ORDER BY outcome COLLATE "C", instrument COLLATE "C", standing COLLATE "C", marks
                """
            )
        )[0]
        return (0..<found.count).map { row in
            func text(_ column: Int32) -> String? {
                found.text(row, column).flatMap { $0.isEmpty ? nil : $0 }
            }
            return EndedCount(
                outcome: text(0),
                label: text(1),
                money: text(2),
                marks: found.integer(row, 3) ?? 0,
                sessions: found.integer(row, 4) ?? 0
            )
        }
    }

    /// The rest of a statement that reads kept sums: which table, after `money` or `ended`, and
    /// which of its rows.
    private static func isKept(in span: SumSpan, _ query: SessionQuery, firstValue: Int) -> String {
        """
        _\(span.length == .hour ? "sums" : "days") WHERE sessions <> 0\(origin(query))
            AND \(span.length) >= $\(firstValue) AND \(span.length) < $\(firstValue + 1)
        """
    }

    /// The kept sums of whole days and hours, the rows of the edges, and the rows that were not
    /// added yet, as one statement with its values.
    private static func parts(
        _ kept: String,
        _ single: String,
        _ pieces: SumPieces,
        _ query: SessionQuery,
        _ columns: [String],
        _ selection: String
    ) -> PQCommand {
        var parts: [String] = []
        var values: [Int64] = []
        for span in pieces.spans {
            parts.append(kept + isKept(in: span, query, firstValue: values.count + 1))
            values += [span.numbers.lowerBound, span.numbers.upperBound]
        }
        var times = pieces.edges.map { (time: $0, condition: "") }
        times.append((pieces.times, " AND " + isStillPending))
        for (time, condition) in times {
            let place = values.count + 1
            parts.append(
                "\(single)\(origin(query))\(condition) AND opened_at >= $\(place) AND opened_at < $\(place + 1)"
            )
            values += [time.lowerBound, time.upperBound]
        }
        return PQCommand(
            kind: "sums",
            """
            WITH parts (\(columns.joined(separator: ", "))) AS (\(parts.joined(separator: " UNION ALL ")))
            \(selection)
            """,
            values.map { (.integer, .integer($0)) }
        )
    }

    /// Returns how many sessions with facts are open.
    public func openCount(_ query: SessionQuery) async throws(EventStoreError) -> Int64 {
        await catchUp()
        let conditions = PostgreSQLConditions(
            query.ofOpenSessions,
            isBounded: false
        )
        let found = try await rows(
            conditions.command("open_count", "SELECT count(*) FROM listed_sessions", "", nil)
        )[0]
        return found.integer(0, 0) ?? 0
    }

    /// Adds rows to the tables of sums that these do not contain yet.
    public func sumRows(limit: Int) async throws(EventStoreError) -> Bool {
        let number = PQValue.integer(Int64(max(1, limit)))
        let done = try await change([
            PQCommand(PostgreSQLLists.hold), PQCommand(Self.sumMoney, number),
            PQCommand(Self.sumEnded, number), PQCommand(Self.advanceSums, number),
        ])
        return done.last?.integer(0, 0) == 1
    }

    /// Empties the tables of sums, so that all rows are added again.
    public func restartSums() async throws(EventStoreError) {
        await catchUp()
        try await change([PQCommand(PostgreSQLLists.hold)] + Self.restart.map { PQCommand($0) })
    }

    /// The first hours of the days within a time whose sums are not those of their hours.
    ///
    /// Hours count positively and days negatively.
    private static func differentDays(_ sums: String, _ key: String, _ further: String) -> String {
        let values = "imported, \(key), sessions" + (sums == "money" ? ", known, net, since" : "")
        let (day, length) = (SumLength.day.hours, SumLength.day.microseconds)
        return """
            SELECT day * \(day) FROM (
                SELECT hour / \(day) AS day, 1 AS sign, \(values) FROM \(sums)_sums WHERE sessions <> 0
                UNION ALL SELECT day, -1, \(values) FROM \(sums)_days WHERE sessions <> 0
            ) AS days
            WHERE day >= $1 / \(length) AND day <= $2 / \(length) AND day * \(length) < $2
            GROUP BY day, imported, \(key) HAVING sum(sessions * sign) <> 0 \(further)
            """
    }

    /// Compares the tables of sums with the rows.
    public func sumsCheck(_ query: SessionQuery) async throws(EventStoreError) -> SumsCheck {
        await catchUp()
        let times = (query.since?.microseconds ?? .min, query.until?.microseconds ?? .max)
        let isWithin = """
            NOT (id > (SELECT done FROM sums_progress) AND id <= (SELECT last FROM sums_progress))
                AND opened_at >= $1 AND opened_at < $2
            """
        let hours =
            "hour >= $1 / \(PostgreSQLSums.hour) AND hour <= $2 / \(PostgreSQLSums.hour)"
            + " AND hour * \(PostgreSQLSums.hour) < $2"
        let found = try await rows(
            PQCommand(Self.pending),
            PQCommand(
                kind: "sums_check",
                """
                WITH money AS (
                    SELECT opened_at / \(PostgreSQLSums.hour) AS hour, imported, host,
                        coalesce(currency, '') AS currency, count(*) AS sessions, count(net) AS known,
                        sum(coalesce(net, 0)) AS net, min(money_since) AS since
                    FROM listed_sessions WHERE \(SumConditions.isConfirmed()) AND \(isWithin) GROUP BY 1, 2, 3, 4
                ), money_kept AS (
                    SELECT hour, imported, host, currency, sum(sessions) AS sessions,
                        sum(known) AS known, sum(net) AS net, min(since) AS since
                    FROM money_sums WHERE sessions <> 0 AND \(hours) GROUP BY 1, 2, 3, 4
                ), ended AS (
                    SELECT opened_at / \(PostgreSQLSums.hour) AS hour, imported, \(SumConditions.ending()), count(*)
                    FROM listed_sessions WHERE \(SumConditions.isEnded()) AND \(isWithin) GROUP BY 1, 2, 3, 4, 5, 6
                ), ended_kept AS (
                    SELECT hour, imported, outcome, instrument, standing, marks, sum(sessions)::bigint
                    FROM ended_sums WHERE sessions <> 0 AND \(hours) GROUP BY 1, 2, 3, 4, 5, 6
                )
                SELECT hour FROM money FULL JOIN money_kept k USING (hour, imported, host, currency)
                    WHERE (money.sessions, money.known, money.net) IS DISTINCT FROM (k.sessions, k.known, k.net)
                        OR money.since < k.since
                UNION SELECT hour FROM (TABLE ended EXCEPT TABLE ended_kept) AS e
                UNION SELECT hour FROM (TABLE ended_kept EXCEPT TABLE ended) AS k
                UNION \(Self.differentDays("money", "host, currency", """
                    OR sum(known * sign) <> 0 OR sum(net * sign) <> 0
                        OR min(since) FILTER (WHERE sign > 0) < min(since) FILTER (WHERE sign < 0)
                    """))
                UNION \(Self.differentDays("ended", "outcome, instrument, standing, marks", ""))
                ORDER BY 1
                """,
                [(.integer, .integer(times.0)), (.integer, .integer(times.1))]
            ).ofWholeTables
        )
        var check = SumsCheck(isComplete: found[0].integer(0, 0) != 1)
        check.hours = (0..<found[1].count).map {
            Instant(microseconds: (found[1].integer($0, 0) ?? 0) * PostgreSQLSums.hour)
        }
        return check
    }
}
