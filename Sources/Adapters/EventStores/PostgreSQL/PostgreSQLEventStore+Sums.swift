public import EventLog

extension PostgreSQLEventStore {
    /// Returns the groups of a sum that the store keeps, in the order of their keys.
    public func sums(
        _ sum: ReadModel.Sum,
        _ query: SessionQuery
    ) async throws(EventStoreError) -> [SessionSum] {
        await catchUp()
        let (sql, values) = lists.sums.reading(sum, query)
        let found = try await rows(
            PQCommand(kind: "sums", sql, values.map { (.integer, .integer($0)) })
        )[0]
        var groups: [SessionSum] = []
        for row in 0..<found.count {
            func amount(_ column: Int32) -> Int64 { found.integer(row, column) ?? 0 }
            let key = found.text(row, 0) ?? ""
            var group = try SumStatements.group(key, (amount(1), amount(2), amount(3), amount(4)))
            if let since = sum.since {
                group.oldest = try await oldest(of: sum, since, key, query)
            }
            groups.append(group)
        }
        return groups.inOrder
    }

    /// The session that has been in a group longest.
    ///
    /// The hours are searched in the order of the times before which none of their sessions was in
    /// it, as far as there can be an older one.
    private func oldest(
        of sum: ReadModel.Sum,
        _ since: String,
        _ key: String,
        _ query: SessionQuery
    ) async throws(EventStoreError) -> SessionSum.Oldest? {
        let pieces = SumPieces(query)
        let first = lists.sums.oldest(of: sum, since: since, query)
        var best: (since: Int64, session: SessionID)?
        for edge in pieces.edges { try await compare(first, key, edge, &best) }
        var spans = [pieces.spans]
        while let next = spans.popLast() {
            for hours in try await times(of: sum, in: next, key, query) {
                guard hours.since <= best?.since ?? .max else { break }
                guard hours.numbers.count == 1 else {
                    let span = SumSpan(length: .hour, numbers: hours.numbers)
                    for hour in try await times(of: sum, in: [span], key, query) {
                        guard hour.since <= best?.since ?? .max else { break }
                        try await compare(first, key, hour.time, &best)
                    }
                    continue
                }
                try await compare(first, key, hours.time, &best)
            }
        }
        return best.map { .init(since: Instant(microseconds: $0.since), session: $0.session) }
    }

    /// Some hours, and the time before which no session of them was in a group.
    private struct Hours {
        var numbers: Range<Int64>
        var since: Int64

        var time: Range<Int64> {
            numbers.lowerBound * SumPieces.hour..<numbers.upperBound * SumPieces.hour
        }
    }

    private func times(
        of sum: ReadModel.Sum,
        in spans: [SumSpan],
        _ key: String,
        _ query: SessionQuery
    ) async throws(EventStoreError) -> [Hours] {
        guard !spans.isEmpty else { return [] }
        let (sql, values) = lists.sums.times(of: sum, in: spans, query)
        let found = try await rows(
            PQCommand(
                kind: "sums_times",
                sql,
                [(.text, .text(key))] + values.map { (.integer, .integer($0)) }
            )
        )[0]
        return (0..<found.count).map { row in
            let first = found.integer(row, 0) ?? 0
            let end = first + (found.integer(row, 1) ?? 0)
            return Hours(numbers: first..<end, since: found.integer(row, 2) ?? 0)
        }
    }

    private func compare(
        _ statement: String,
        _ key: String,
        _ time: Range<Int64>,
        _ best: inout (since: Int64, session: SessionID)?
    ) async throws(EventStoreError) {
        let found = try await rows(
            PQCommand(
                kind: "sums_first",
                statement,
                [
                    (.text, .text(key)), (.integer, .integer(time.lowerBound)),
                    (.integer, .integer(time.upperBound)),
                ]
            )
        )[0]
        guard let since = found.integer(0, 0),
            let session = found.text(0, 1).flatMap({ SessionID($0) })
        else { return }
        if best.map({ (since, session) < $0 }) ?? true { best = (since, session) }
    }

    /// Returns how many sessions with facts are open.
    public func openCount(_ query: SessionQuery) async throws(EventStoreError) -> Int64 {
        await catchUp()
        let conditions = PostgreSQLConditions(
            query.ofOpenSessions,
            of: lists.columns,
            isBounded: false
        )
        let found = try await rows(
            conditions.command("open_count", "SELECT count(*) FROM listed_sessions", "", nil)
        )[0]
        return found.integer(0, 0) ?? 0
    }

    /// Adds up the sums of one day again.
    public func recountSums(after day: Instant?) async throws(EventStoreError) -> Instant? {
        guard !isReadOnly else { throw .readOnly }
        await catchUp()
        func command(_ kind: String, _ sql: String, _ day: Int64) -> PQCommand {
            var command = PQCommand(kind: kind, sql, [(.integer, .integer(day))])
            command.statement = command.statement.ofWholeTables
            return command
        }
        let first = SumLength.day.number(after: day)
        let found = try await rows(command("sums_next_day", lists.sums.nextDay, first))[0]
        guard let number = found.integer(0, 0) else { return nil }
        try await change([
            PQCommand(PostgreSQLLists.hold),
            command("sums_remove_day", lists.sums.removingDay, number),
            command("sums_add_day", lists.sums.addingDay, number),
        ])
        return Instant(microseconds: number * SumLength.day.microseconds)
    }

    /// Compares the kept sums with the rows.
    public func sumFaults(_ query: SessionQuery) async throws(EventStoreError) -> [Instant] {
        await catchUp()
        let times = (query.since?.microseconds ?? .min, query.until?.microseconds ?? .max)
        var check = PQCommand(
            kind: "sums_check",
            lists.sums.checking,
            [(.integer, .integer(times.0)), (.integer, .integer(times.1))]
        )
        check.statement = check.statement.ofWholeTables
        let found = try await rows(check)[0]
        return (0..<found.count).map {
            Instant(microseconds: (found.integer($0, 0) ?? 0) * SumPieces.hour)
        }
    }
}
