internal import EventLog

/// The statements on the sums over sessions, by the hour and the day in which these were opened.
///
/// Whoever changes listed rows subtracts what they contribute before the change and adds it
/// afterwards, in the same transaction. Amounts are kept as two halves, whose sums do not overflow.
/// The time of the oldest session is a bound: no session of the sum is older.
struct SumStatements: Sendable {
    let model: ReadModel
    let dialect: SQLDialect

    /// The columns of the rows that are summed.
    let columns: SessionColumns

    init(model: ReadModel, dialect: SQLDialect) {
        (self.model, self.dialect) = (model, dialect)
        columns = SessionColumns(model: model, dialect: dialect)
    }

    /// Distinguishes the model from others, whose tables or sums differ.
    var mark: String {
        let sums = model.sums.map {
            "\(name($0)) \(isSummed($0)) \(key($0)) \($0.amount ?? "") \($0.since ?? "")"
        }
        let text = ([columns.listedTable] + columns.indexes + sums).joined(separator: ";")
        return String(HashChain.hash(.zero, Array(text.utf8)).hexadecimal.prefix(16))
    }

    /// Whether an event, a row of `events`, ends its session.
    var endsSession: String {
        model.endings.isEmpty
            ? "false" : "type IN (\(model.endings.map(SQLDialect.literal).joined(separator: ", ")))"
    }

    /// What is said of a store with another mark.
    static let otherModel =
        "its lists and sums are those of another workflow, or of another version of this one"

    /// The table, which has a row for each sum, span of time, origin and key.
    var table: String {
        let end =
            switch dialect {
            case .sqlite: "WITHOUT ROWID"
            case .postgreSQL: "WITH (fillfactor = 70)"
            }
        return """
            CREATE TABLE listed_sums (
                name TEXT NOT NULL,
                span TEXT NOT NULL,
                number \(dialect.integer) NOT NULL,
                imported \(dialect.integer) NOT NULL,
                key TEXT NOT NULL,
                sessions \(dialect.integer) NOT NULL,
                known \(dialect.integer) NOT NULL,
                high \(dialect.integer) NOT NULL,
                low \(dialect.integer) NOT NULL,
                since \(dialect.integer),
                PRIMARY KEY (name, span, number, imported, key)
            ) \(end)
            """
    }

    private static let identity = "name, span, number, imported, key"
    private static let amounts = "sessions, known, high, low"

    /// The name of a sum in the table: with the version of the facts, so that the sums of another
    /// version, in which rows without facts of this one may be, count for nothing.
    private func name(_ sum: ReadModel.Sum) -> String {
        SQLDialect.literal("\(sum.name).\(model.version)")
    }

    // MARK: Conditions

    /// A condition on a row.
    static func text(_ condition: ReadModel.Condition) -> String {
        func list(_ values: [ReadModel.Value], _ comparison: String, _ word: String) -> String {
            let terms = values.map { "\(condition.column) \(comparison) \(literal($0))" }
            return terms.count == 1 ? terms[0] : "(\(terms.joined(separator: " \(word) ")))"
        }
        return switch condition.test {
        case .isOneOf(let values): list(values, "=", "OR")
        case .isNoneOf(let values): list(values, "<>", "AND")
        case .isPresent: "\(condition.column) IS NOT NULL"
        case .isAbsent: "\(condition.column) IS NULL"
        }
    }

    private static func literal(_ value: ReadModel.Value) -> String {
        switch value {
        case .text(let text): SQLDialect.literal(text)
        case .integer(let number): "\(number)"
        }
    }

    /// Whether a row is in a sum.
    func isSummed(_ sum: ReadModel.Sum) -> String {
        ([columns.hasFacts] + sum.conditions.map(Self.text))
            .joined(separator: " AND ")
    }

    /// What a row's group agrees in.
    func key(_ sum: ReadModel.Sum) -> String {
        dialect.list(
            sum.keys.map { key in
                switch key {
                case .column(let column): column
                case .bits(let column, let bits): "coalesce(\(column), 0) & \(bits)"
                }
            }
        )
    }

    /// A condition on the origin of sessions.
    static func origin(_ query: SessionQuery) -> String {
        query.origin.map { " AND imported = \($0 == .imported ? 1 : 0)" } ?? ""
    }

    // MARK: Keeping

    /// What the rows of a group contribute: the number of sessions, of those with an amount, and
    /// the halves of the amounts.
    private func amounts(_ sum: ReadModel.Sum, times sign: Int = 1) -> String {
        let amount = sum.amount ?? "NULL"
        let halves = sum.amount.map {
            [
                dialect.sum("coalesce(\($0) >> 31, 0)"),
                dialect.sum("coalesce(\($0) & 2147483647, 0)"),
            ]
        }
        return (["count(*)", "count(\(amount))"] + (halves ?? ["0", "0"]))
            .map { sign < 0 ? "-\($0)" : $0 }.joined(separator: ", ")
    }

    /// What rows contribute to all sums, by spans of time.
    private func contributions(
        times sign: Int,
        of condition: String,
        by lengths: [SumLength] = [.hour, .day]
    ) -> String {
        let spans = lengths.map { "SELECT '\($0)' AS span, \($0.microseconds) AS length" }
            .joined(separator: " UNION ALL ")
        guard !model.sums.isEmpty else {
            return "SELECT '', '', 0, 0, '', 0, 0, 0, 0, \(nothing) WHERE false"
        }
        return model.sums.map { sum in
            let since = sign < 0 ? nil : sum.since.map { "min(\($0))" }
            return """
                SELECT \(name(sum)) AS name, spans.span, opened_at / spans.length AS number,
                    imported, \(key(sum)) AS key, \(amounts(sum, times: sign)), \(since ?? nothing)
                FROM listed_sessions CROSS JOIN (\(spans)) AS spans
                WHERE \(isSummed(sum)) AND \(condition) GROUP BY 1, 2, 3, 4, 5
                """
        }
        .joined(separator: " UNION ALL ")
    }

    private var nothing: String {
        switch dialect {
        case .sqlite: "NULL"
        case .postgreSQL: "NULL::bigint"
        }
    }

    private func merging(times sign: Int, _ condition: String) -> String {
        let kept = "listed_sums.since"
        let oldest = dialect.least(
            "coalesce(\(kept), excluded.since)",
            "coalesce(excluded.since, \(kept))"
        )
        let added = Self.amounts.pieces(between: ", ")
            .map { "\($0) = listed_sums.\($0) + excluded.\($0)" }.joined(separator: ", ")
        return """
            INSERT INTO listed_sums (\(Self.identity), \(Self.amounts), since)
            SELECT * FROM (\(contributions(times: sign, of: condition))) AS c WHERE true
            ON CONFLICT (\(Self.identity)) DO UPDATE SET
                since = CASE WHEN listed_sums.sessions = 0 THEN excluded.since ELSE \(oldest) END,
                \(added)
            """
    }

    /// Adds what the rows that meet a condition contribute.
    func adding(_ condition: String) -> String { merging(times: 1, condition) }

    /// Takes away what the rows that meet a condition contribute.
    func subtracting(_ condition: String) -> String { merging(times: -1, condition) }

    // MARK: Counting again

    /// The next day with rows or sums, from the day that the first parameter is.
    var nextDay: String {
        let (first, day) = (dialect.parameter(1), SumLength.day)
        let kept = model.sums.map { sum in
            let name = name(sum)
            return """
                UNION ALL SELECT min(number) FROM listed_sums
                    WHERE name = \(name) AND span = 'day' AND number >= \(first)
                UNION ALL SELECT min(number) / \(day.hours) FROM listed_sums
                    WHERE name = \(name) AND span = 'hour' AND number >= \(first) * \(day.hours)
                """
        }
        return """
            SELECT min(number) FROM (SELECT min(opened_at) / \(day.microseconds) AS number
                FROM listed_sessions WHERE opened_at >= \(first) * \(day.microseconds)
                \(kept.joined(separator: " "))) AS days
            """
    }

    /// Removes the sums of the day that the first parameter is, and those that the model does not
    /// declare.
    var removingDay: String {
        let first = dialect.parameter(1)
        let names = model.sums.map { name($0) }.joined(separator: ", ")
        let isOther = names.isEmpty ? "true" : "name NOT IN (\(names))"
        return """
            DELETE FROM listed_sums WHERE (span = 'day' AND number = \(first))
                OR (span = 'hour' AND number >= \(first) * 24 AND number < \(first) * 24 + 24)
                OR \(isOther)
            """
    }

    /// Adds the rows of the day that the first parameter is.
    var addingDay: String {
        let (first, length) = (dialect.parameter(1), SumLength.day.microseconds)
        return adding(
            "opened_at >= \(first) * \(length) AND opened_at < (\(first) + 1) * \(length)"
        )
    }

    // MARK: Reading

    /// The groups of a sum, and the values of the parameters: the sums of whole days and hours, and
    /// the rows of the time around them.
    func reading(_ sum: ReadModel.Sum, _ query: SessionQuery) -> (sql: String, values: [Int64]) {
        let pieces = SumPieces(query)
        var (parts, values): ([String], [Int64]) = ([], [])
        func bounds(_ column: String, _ range: Range<Int64>) -> String {
            values += [range.lowerBound, range.upperBound]
            let (first, end) = (values.count - 1, values.count)
            return
                "\(column) >= \(dialect.parameter(first)) AND \(column) < \(dialect.parameter(end))"
        }
        for span in pieces.spans {
            parts.append(
                """
                SELECT key, \(Self.amounts) FROM listed_sums
                WHERE \(isKept(sum, span, query)) AND \(bounds("number", span.numbers))
                """
            )
        }
        for edge in pieces.edges {
            parts.append(
                """
                SELECT \(key(sum)), \(amounts(sum)) FROM listed_sessions
                WHERE \(isSummed(sum))\(Self.origin(query)) AND \(bounds("opened_at", edge)) GROUP BY 1
                """
            )
        }
        let totals = Self.amounts.pieces(between: ", ").map { dialect.sum(String($0)) }
        let sql = """
            WITH parts (key, \(Self.amounts)) AS (\(parts.joined(separator: " UNION ALL ")))
            SELECT key, \(totals.joined(separator: ", ")) FROM parts GROUP BY key
            """
        return (sql, values)
    }

    private func isKept(
        _ sum: ReadModel.Sum,
        _ span: SumSpan,
        _ query: SessionQuery
    ) -> String {
        """
        name = \(name(sum)) AND span = '\(span.length)' AND sessions <> 0\(Self.origin(query))
        """
    }

    /// The group in a row that ``reading(_:_:)`` returns: its key, and the four amounts.
    static func group(
        _ key: String,
        _ amounts: (sessions: Int64, known: Int64, high: Int64, low: Int64)
    ) throws(EventStoreError) -> SessionSum {
        let json = try? JSONValue(parsing: Array(key.utf8))
        guard case .array(let elements)? = json else {
            throw .corrupt(stream: nil, sequence: nil, reason: "a kept sum has no key")
        }
        let high = amounts.high.multipliedReportingOverflow(by: 1 << 31)
        let total = high.partialValue.addingReportingOverflow(amounts.low)
        return SessionSum(
            key: elements.map { element in
                switch element {
                case .string(let text): .text(text)
                case .integer(let number): .integer(number)
                case .null, .bool, .array, .object: nil
                }
            },
            sessions: amounts.sessions,
            known: amounts.known,
            total: high.overflow || total.overflow ? nil : total.partialValue
        )
    }

    /// The kept sums of one group, ordered by the time before which no session was in them.
    ///
    /// Each row has the first hour, the number of hours, and this time. The group is the first
    /// parameter, its values are the further ones.
    func times(
        of sum: ReadModel.Sum,
        in spans: [SumSpan],
        _ query: SessionQuery
    ) -> (sql: String, values: [Int64]) {
        var values: [Int64] = []
        let parts = spans.map { span in
            values += [span.numbers.lowerBound, span.numbers.upperBound]
            let (first, end) = (values.count, values.count + 1)
            return """
                SELECT number * \(span.length.hours) AS first, \(span.length.hours) AS hours, since
                FROM listed_sums WHERE \(isKept(sum, span, query)) AND key = \(dialect.parameter(1))
                    AND since IS NOT NULL AND number >= \(dialect.parameter(first))
                    AND number < \(dialect.parameter(end))
                """
        }
        let sql = parts.joined(separator: " UNION ALL ") + " ORDER BY since, first"
        return (sql, values)
    }

    /// The oldest session of one group, given as the first parameter, that was opened between the
    /// times that the second and the third one are.
    func oldest(of sum: ReadModel.Sum, since: String, _ query: SessionQuery) -> String {
        """
        SELECT \(since), \(dialect.identifier) FROM listed_sessions
        WHERE \(isSummed(sum))\(Self.origin(query)) AND \(key(sum)) = \(dialect.parameter(1))
            AND opened_at >= \(dialect.parameter(2)) AND opened_at < \(dialect.parameter(3))
        ORDER BY \(since), listed_sessions.id LIMIT 1
        """
    }

    // MARK: Checking

    /// The hours, or first hours of days, of which a sum differs from the rows that were opened
    /// between the times that the parameters are.
    var checking: String {
        let (since, until) = (dialect.parameter(1), dialect.parameter(2))
        let rows = contributions(
            times: 1,
            of: "opened_at >= \(since) AND opened_at < \(until)",
            by: [.hour]
        )
        func kept(_ length: SumLength) -> String {
            """
            SELECT \(Self.identity), \(Self.amounts), since FROM listed_sums
            WHERE span = '\(length)' AND sessions <> 0 AND number >= \(since) / \(length.microseconds)
                AND number <= \(until) / \(length.microseconds)
            """
        }
        let day = SumLength.day.hours
        let days = """
            SELECT name, 'day' AS span, number / \(day) AS number, imported, key,
                \(Self.amounts.pieces(between: ", ").map { dialect.sum(String($0)) }.joined(separator: ", ")),
                min(since)
            FROM listed_sums WHERE span = 'hour' AND sessions <> 0
                AND number >= \(since) / \(SumLength.day.microseconds) * \(day)
                AND number < (\(until) / \(SumLength.day.microseconds) + 1) * \(day)
            GROUP BY 1, 2, 3, 4, 5
            """
        let columns = "\(Self.identity), \(Self.amounts)"
        func differing(_ counted: String, _ kept: String) -> String {
            let isSame = Self.identity.pieces(between: ", ")
                .map { "c.\($0) = k.\($0)" }.joined(separator: " AND ")
            return """
                SELECT number FROM (SELECT \(columns) FROM \(counted) EXCEPT SELECT \(columns) FROM \(kept)) AS a
                UNION SELECT number FROM (SELECT \(columns) FROM \(kept) EXCEPT SELECT \(columns) FROM \(counted)) AS b
                UNION SELECT c.number FROM \(counted) c JOIN \(kept) k ON \(isSame)
                    WHERE coalesce(c.since < k.since, c.since IS NOT NULL)
                """
        }
        return """
            WITH counted (\(columns), since) AS (\(rows)),
                hours AS (\(kept(.hour)) AND number * \(SumPieces.hour) < \(until)),
                added (\(columns), since) AS (\(days)), days AS (\(kept(.day)))
            SELECT DISTINCT number FROM (
                SELECT number FROM (\(differing("counted", "hours"))) AS h
                UNION ALL SELECT number * \(day) FROM (\(differing("added", "days"))) AS d
                    WHERE number * \(SumLength.day.microseconds) < \(until)
            ) AS differing ORDER BY number
            """
    }
}

extension ReadModel {
    /// Whether a row is one of those that no sum says enough about, as SQL.
    var isApart: [String] { apart.map(SumStatements.text) }
}

extension SessionQuery {
    /// The open sessions with facts among those of this query's time, label and origin.
    var ofOpenSessions: SessionQuery {
        SessionQuery(
            isOpen: true,
            label: label,
            hasFacts: true,
            since: since,
            until: until,
            origin: origin
        )
    }
}
