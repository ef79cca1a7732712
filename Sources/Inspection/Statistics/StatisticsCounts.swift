package import EventLog
package import SwedbankPay

/// How many sessions of a window ended how, as the store's index counts them: without reading logs.
package struct StatisticsCounts: Explanation {
    private var ended = 0
    private var open = 0
    private var stuck = 0
    /// The number of imported sessions.
    private var imported = 0
    /// The number of logs that could not be read and are not counted.
    package private(set) var unreadable = 0
    private var closed = 0
    private var endedUnknown = 0
    private var verified = 0
    private var outcomes: [String: Int] = [:]
    /// The outcomes of the sessions that have ended, by the instrument of their newest attempt.
    private var instruments: [String: [String: Int]] = [:]

    /// The moment up to which the counts contain everything.
    package var asOf: Instant?

    /// Creates empty counts.
    package init() {}

    /// Adds sessions that are over.
    package mutating func add(_ count: EndedCount) {
        let sessions = Int(count.sessions)
        let marks = FactMarks(rawValue: count.marks)
        ended += sessions
        if let outcome = count.outcome { outcomes[outcome, default: 0] += sessions }
        if let label = count.label {
            instruments[label, default: [:]][count.outcome ?? "", default: 0] += sessions
        }
        if marks.contains(.closedByHand) { closed += sessions }
        if count.money == MoneyState.Standing.unknown.rawValue { endedUnknown += sessions }
        let isVerified = MoneyState.isVerified(
            endingAs: count.outcome.flatMap(Outcome.init(rawValue:)),
            standing: count.money.flatMap(MoneyState.Standing.init(rawValue:)),
            isVerification: marks.contains(.verification)
        )
        if isVerified { verified += sessions }
    }

    /// Adds sessions that are open.
    package mutating func add(open sessions: Int, stuck: Int) {
        open += sessions
        self.stuck += stuck
    }

    /// Adds one session according to its row.
    package mutating func add(_ row: SessionSummary, at now: Instant) {
        guard row.isOver else {
            return add(open: 1, stuck: row.isStuck(at: now) ? 1 : 0)
        }
        add(
            EndedCount(
                outcome: row.outcome,
                label: row.label,
                money: row.facts?.money,
                marks: row.facts?.marks ?? 0,
                sessions: 1
            )
        )
    }

    /// Records how many of the sessions were imported, and how many logs could not be read.
    package mutating func note(imported: Int, unreadable: Int) {
        (self.imported, self.unreadable) = (imported, unreadable)
    }

    /// The counts as one JSON document.
    package var json: JSONValue {
        .object([
            .init("asOf", JSONValue(asOf?.description)),
            .init("sessions", .integer(Int64(ended + open))),
            .init("imported", .integer(Int64(imported))),
            .init("open", .integer(Int64(open))),
            .init("stuck", .integer(Int64(stuck))),
            .init("closed", .integer(Int64(closed))),
            .init("endedUnknown", .integer(Int64(endedUnknown))),
            .init("verified", .integer(Int64(verified))),
            .init("unreadable", .integer(Int64(unreadable))),
            .init("outcomes", Self.json(outcomes)),
            .init(
                "instruments",
                .array(
                    instruments.sorted { $0.key < $1.key }.map { instrument, outcomes in
                        .object([
                            .init("instrument", .string(instrument)),
                            .init("ended", .integer(Int64(outcomes.values.reduce(0, +)))),
                            .init("outcomes", Self.json(outcomes)),
                        ])
                    }
                )
            ),
        ])
    }

    private static func json(_ outcomes: [String: Int]) -> JSONValue {
        .object(
            Outcome.allCases.map {
                .init($0.rawValue, .integer(Int64(outcomes[$0.rawValue] ?? 0)))
            }
        )
    }

    /// The counts as tables on a terminal, or as tab-separated values whose first column names what
    /// each line counts.
    package func text(for form: TextForm) -> StyledText {
        let names = Outcome.allCases.map(\.rawValue)
        func row(_ outcomes: [String: Int]) -> [String] { names.map { "\(outcomes[$0] ?? 0)" } }
        var all = [["all", "\(ended + open)"]]
        all += zip(names, row(outcomes)).map { [$0, $1] }
        all += [
            ["open", "\(open)"], ["stuck", "\(stuck)"],
            [StatisticsReport.closed, "\(closed)"],
            [StatisticsReport.endedUnknown, "\(endedUnknown)"],
            [StatisticsReport.verified, "\(verified)"],
        ]
        let sessions = Table(columns: ["sessions", "count"], rows: all)
        let byInstrument = Table(
            columns: ["newest attempt"] + names,
            rows: instruments.sorted { $0.key < $1.key }.map { [$0] + row($1) }
        )
        if form.isTerminal {
            let both = [sessions, byInstrument].filter { !$0.rows.isEmpty }
            return both.map { $0.text(for: form) }.joined(separator: "\n")
        }
        let lines = all.map { ["sessions", $0[0], "", $0[1]] }
        let more = instruments.sorted { $0.key < $1.key }.flatMap { instrument, outcomes in
            zip(names, row(outcomes)).map { ["instruments", instrument, $0, $1] }
        }
        return Table(columns: ["what", "name", "outcome", "count"], rows: lines + more)
            .text(for: form)
    }
}

extension MoneyState {
    /// Whether a session that has ended verified the payer's details, as the PSP confirms.
    ///
    /// Statistics of logs and of the index both count by this definition. What only the client
    /// reported is not confirmed, and a session that is open is not completed.
    fileprivate static func isVerified(
        endingAs outcome: Outcome?,
        standing: Standing?,
        isVerification: Bool
    ) -> Bool {
        isVerification && outcome == .completed && standing == .confirmed
    }

    /// Whether the session with this money verified the payer's details, as the PSP confirms.
    func isVerified(endingAs outcome: Outcome?) -> Bool {
        Self.isVerified(
            endingAs: outcome,
            standing: standing,
            isVerification: isVerification
        )
    }
}
