package import EventLog
internal import SwedbankPay

/// Statistics in the form that `stats` prints.
package struct StatisticsReport: Explanation {
    let statistics: Statistics
    let unreadable: Int
    /// The number of imported sessions.
    let imported: Int

    /// Creates a report.
    ///
    /// - Parameters:
    ///   - statistics: The counts.
    ///   - unreadable: The number of logs that could not be read and are not counted.
    ///   - imported: The number of imported sessions.
    package init(statistics: Statistics, unreadable: Int, imported: Int) {
        self.statistics = statistics
        self.unreadable = unreadable
        self.imported = imported
    }

    /// The percentiles to show.
    static let percentiles = [50, 90, 99]

    /// The report as one JSON document.
    package var json: JSONValue {
        .object([
            .init("sessions", .integer(Int64(statistics.sessions))),
            .init("imported", .integer(Int64(imported))),
            .init("open", .integer(Int64(statistics.open))),
            .init("stuck", .integer(Int64(statistics.stuck))),
            .init("paidElsewhere", .integer(Int64(statistics.paidElsewhere))),
            .init("paidUnknown", .integer(Int64(statistics.paidUnknown))),
            .init("closed", .integer(Int64(statistics.closed))),
            .init("endedUnknown", .integer(Int64(statistics.endedUnknown))),
            .init("resolvedByPerson", .integer(Int64(statistics.resolvedByPerson))),
            .init("verified", .integer(Int64(statistics.verified))),
            .init("unreadable", .integer(Int64(unreadable))),
            .init(
                "outcomes",
                .object(
                    Outcome.allCases.map {
                        .init($0.rawValue, .integer(Int64(statistics.outcomes[$0] ?? 0)))
                    }
                )
            ),
            .init(
                "instruments",
                .array(
                    instruments.map { instrument, conversion in
                        .object([
                            .init("instrument", .string(instrument.rawValue)),
                            .init("attempts", .integer(Int64(conversion.attempts))),
                            .init("paid", .integer(Int64(conversion.paid))),
                            .init("probable", .integer(Int64(conversion.probable))),
                            .init("failed", .integer(Int64(conversion.failed))),
                            .init("open", .integer(Int64(conversion.open))),
                            .init("unknown", .integer(Int64(conversion.unknown))),
                            .init("perMille", JSONValue(conversion.perMille)),
                            .init("milliseconds", json(statistics.attempts[instrument])),
                        ])
                    }
                )
            ),
            .init(
                "problems",
                .array(
                    problems.map { kind, count in
                        .object([
                            .init("problem", .string(kind.name)),
                            .init("origin", .string(kind.origin.rawValue)),
                            .init("actor", .string(kind.actor.rawValue)),
                            .init("count", .integer(Int64(count))),
                        ])
                    }
                )
            ),
            .init(
                "requests",
                .array(
                    requests.map { rel, failing in
                        .object([
                            .init("rel", .string(rel.rawValue)),
                            .init("requests", .integer(Int64(failing.requests))),
                            .init("failures", .integer(Int64(failing.failures))),
                            .init("repeated", .integer(Int64(failing.repeated))),
                            .init("uncertain", .integer(Int64(failing.uncertain))),
                            .init("milliseconds", json(statistics.responses[rel])),
                        ])
                    }
                )
            ),
            .init("toPaidMilliseconds", json(statistics.toPaid)),
        ])
    }

    private func json(_ durations: Durations?) -> JSONValue {
        guard let durations, let values = durations.percentiles(Self.percentiles) else {
            return .null
        }
        return .object(
            [.init("count", .integer(Int64(durations.count)))]
                + zip(Self.percentiles, values).map { .init("p\($0)", .integer($1)) }
        )
    }

    private var instruments: [(Instrument, Statistics.Conversion)] {
        Instrument.allCases.compactMap { instrument in
            statistics.conversions[instrument].map { (instrument, $0) }
        }
    }

    private var problems: [(Statistics.ProblemKind, Int)] {
        statistics.problems.sorted {
            ($1.value, $0.key.name, $0.key.origin.rawValue, $0.key.actor.rawValue)
                < ($0.value, $1.key.name, $1.key.origin.rawValue, $1.key.actor.rawValue)
        }.map { ($0.key, $0.value) }
    }

    private var requests: [(Rel, Statistics.Failing)] {
        statistics.requests.sorted { $0.key.rawValue < $1.key.rawValue }.map { ($0.key, $0.value) }
    }

    /// The report as tables on a terminal, or as tab-separated values whose first column names what
    /// each line counts.
    package func text(for form: TextForm) -> StyledText {
        let tables = [
            ("sessions", sessionTable), ("instruments", instrumentTable(form)),
            ("problems", problemTable(form)), ("requests", requestTable(form)),
        ].filter { !$0.1.rows.isEmpty }
        if form.isTerminal {
            // The durations are in a table of their own, so that each table fits 80 columns.
            return (tables.map(\.1) + [durationTable].filter { !$0.rows.isEmpty })
                .map { $0.text(for: form) }.joined(separator: "\n")
        }
        return tables.map { name, table in
            var table = table
            table.columns.insert("what", at: 0)
            table.rows = table.rows.map { [name] + $0 }
            return table.text(for: form)
        }.joined()
    }

    /// The names of rows that a report from the index has, too.
    static let closed = "closed by an operator"
    static let endedUnknown = "ended, outcome unknown"
    static let verified = "verified; nothing charged"

    private var sessionTable: Table {
        var rows = [["all", "\(statistics.sessions)"]]
        for outcome in Outcome.allCases {
            rows.append([outcome.rawValue, "\(statistics.outcomes[outcome] ?? 0)"])
        }
        rows.append(["open", "\(statistics.open)"])
        rows.append(["stuck", "\(statistics.stuck)"])
        rows.append(["paid elsewhere", "\(statistics.paidElsewhere)"])
        rows.append(["paid, not known how", "\(statistics.paidUnknown)"])
        rows.append([Self.closed, "\(statistics.closed)"])
        rows.append([Self.endedUnknown, "\(statistics.endedUnknown)"])
        rows.append(["resolved by a person", "\(statistics.resolvedByPerson)"])
        rows.append([Self.verified, "\(statistics.verified)"])
        for (percent, value) in zip(Self.percentiles, values(statistics.toPaid))
        where statistics.toPaid.count > 0 {
            rows.append(["time to paid, p\(percent)", value])
        }
        return Table(columns: ["sessions", "count"], rows: rows)
    }

    private func instrumentTable(_ form: TextForm) -> Table {
        Table(
            columns: [
                "instrument", "attempts", "paid", "probable", "failed", "open", "unknown",
                "conversion",
            ] + (form.isTerminal ? [] : Self.headings),
            rows: instruments.map { instrument, conversion in
                [
                    instrument.rawValue, "\(conversion.attempts)", "\(conversion.paid)",
                    "\(conversion.probable)", "\(conversion.failed)", "\(conversion.open)",
                    "\(conversion.unknown)",
                    share(conversion.perMille, form),
                ] + (form.isTerminal ? [] : values(statistics.attempts[instrument]))
            }
        )
    }

    private func problemTable(_ form: TextForm) -> Table {
        let most = problems.first?.1 ?? 0
        return Table(
            columns: ["problem", "from", "actor", "count"] + (form.isTerminal ? [""] : []),
            rows: problems.map { kind, count in
                [kind.name, kind.origin.rawValue, kind.actor.rawValue, "\(count)"]
                    + (form.isTerminal ? [bar(count, of: most, form)] : [])
            }
        )
    }

    private func requestTable(_ form: TextForm) -> Table {
        Table(
            columns: ["request", "sent", "failed", "repeated", "uncertain"]
                + (form.isTerminal ? [] : Self.headings),
            rows: requests.map { rel, failing in
                [
                    rel.rawValue, "\(failing.requests)", "\(failing.failures)",
                    "\(failing.repeated)", "\(failing.uncertain)",
                ] + (form.isTerminal ? [] : values(statistics.responses[rel]))
            }
        )
    }

    /// How long paid attempts and requests took.
    private var durationTable: Table {
        let attempts = instruments.compactMap { instrument, _ in
            statistics.attempts[instrument].map { ("paid attempt with " + instrument.rawValue, $0) }
        }
        let responses = requests.compactMap { rel, _ in
            statistics.responses[rel].map { ("response to " + rel.rawValue, $0) }
        }
        return Table(
            columns: ["duration"] + Self.headings,
            rows: (attempts + responses).map { [$0.0] + values($0.1) }
        )
    }

    private static let headings = percentiles.map { "p\($0)" }

    private func values(_ durations: Durations?) -> [String] {
        durations?.percentiles(Self.percentiles)?.map { Duration.milliseconds($0).spoken }
            ?? Self.percentiles.map { _ in "" }
    }

    /// A percentage, on a terminal with a bar of ten characters.
    private func share(_ perMille: Int64?, _ form: TextForm) -> String {
        guard let perMille else { return "" }
        let number = "\(perMille / 10).\(perMille % 10) %"
        guard form.isTerminal else { return number }
        return Screen.padded(number, to: 8) + bar(Int(perMille), of: 1000, form)
    }

    /// A bar of at most ten characters.
    private func bar(_ value: Int, of most: Int, _ form: TextForm) -> String {
        let length = most == 0 ? 0 : max(value > 0 ? 1 : 0, value * 10 / most)
        return String(repeating: form.style.isUnicode ? "\u{2588}" : "#", count: length)
    }
}
