public import EventLog

extension SQLiteEventStore {
    /// Returns the groups of a sum that the store keeps, in the order of their keys.
    public func sums(
        _ sum: ReadModel.Sum,
        _ query: SessionQuery
    ) async throws(EventStoreError) -> [SessionSum] {
        await catchUp()
        return try await readers.read { connection in
            // One reading for all statements.
            try connection.execute("BEGIN")
            defer { connection.rollBack() }
            let (sql, values) = connection.sums.reading(sum, query)
            let rows = try connection.statement(sql)
            defer { rows.reset() }
            for (index, value) in values.enumerated() { rows.bind(value, at: Int32(index) + 1) }
            var groups: [SessionSum] = []
            while try rows.step() {
                let key = rows.text(0) ?? ""
                var group = try SumStatements.group(
                    key,
                    (rows.integer(1), rows.integer(2), rows.integer(3), rows.integer(4))
                )
                if let since = sum.since {
                    group.oldest = try Self.oldest(of: sum, since, key, query, on: connection)
                }
                groups.append(group)
            }
            return groups.inOrder
        }
    }

    /// The session that has been in a group longest.
    ///
    /// The hours, and the hours of days, are searched in the order of the times before which none
    /// of their sessions was in it, as far as there can be an older one.
    private static func oldest(
        of sum: ReadModel.Sum,
        _ since: String,
        _ key: String,
        _ query: SessionQuery,
        on connection: SQLiteConnection
    ) throws -> SessionSum.Oldest? {
        let pieces = SumPieces(query)
        let first = try connection.statement(connection.sums.oldest(of: sum, since: since, query))
        var best: (since: Int64, session: SessionID)?
        func compare(_ time: Range<Int64>) throws {
            defer { first.reset() }
            first.bind(text: key, at: 1)
            first.bind(time.lowerBound, at: 2)
            first.bind(time.upperBound, at: 3)
            guard try first.step() else { return }
            let found = (since: first.integer(0), session: try SQLiteRows.session(in: first, at: 1))
            if best.map({ found < $0 }) ?? true { best = found }
        }
        func search(_ spans: [SumSpan]) throws {
            let (sql, values) = connection.sums.times(of: sum, in: spans, query)
            let kept = try connection.statement(sql)
            defer { kept.reset() }
            kept.bind(text: key, at: 1)
            for (index, value) in values.enumerated() { kept.bind(value, at: Int32(index) + 2) }
            while try kept.step(), kept.integer(2) <= best?.since ?? .max {
                let hours = kept.integer(0)..<kept.integer(0) + kept.integer(1)
                guard hours.count == 1 else {
                    try search([SumSpan(length: .hour, numbers: hours)])
                    continue
                }
                let start = hours.lowerBound * SumPieces.hour
                try compare(start..<start + SumPieces.hour)
            }
        }
        for edge in pieces.edges { try compare(edge) }
        try search(pieces.spans)
        return best.map { .init(since: Instant(microseconds: $0.since), session: $0.session) }
    }

    /// Returns how many sessions with facts are open.
    public func openCount(_ query: SessionQuery) async throws(EventStoreError) -> Int64 {
        await catchUp()
        return try await readers.read { connection in
            let conditions = SQLiteConditions(
                query.ofOpenSessions,
                of: connection.columns,
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

    /// Adds up the sums of one day again.
    public func recountSums(after day: Instant?) async throws(EventStoreError) -> Instant? {
        guard !isReadOnly else { throw .readOnly }
        await catchUp()
        return try await writer.transaction { connection in
            func statement(_ sql: String, _ day: Int64) throws -> SQLiteStatement {
                let statement = try connection.statement(sql)
                statement.bind(day, at: 1)
                return statement
            }
            let next = try statement(connection.sums.nextDay, SumLength.day.number(after: day))
            defer { next.reset() }
            guard try next.step(), let number = next.optionalInteger(0) else { return nil }
            try statement(connection.sums.removingDay, number).run()
            try statement(connection.sums.addingDay, number).run()
            return Instant(microseconds: number * SumLength.day.microseconds)
        }
    }

    /// Compares the kept sums with the rows.
    public func sumFaults(_ query: SessionQuery) async throws(EventStoreError) -> [Instant] {
        await catchUp()
        return try await readers.read { connection in
            let rows = try connection.statement(connection.sums.checking)
            defer { rows.reset() }
            rows.bind(query.since?.microseconds ?? .min, at: 1)
            rows.bind(query.until?.microseconds ?? .max, at: 2)
            var hours: [Instant] = []
            while try rows.step() {
                hours.append(Instant(microseconds: rows.integer(0) * SumPieces.hour))
            }
            return hours
        }
    }
}
