package import EventLog
internal import SwedbankPay

/// A list of sessions.
package struct SessionList: Explanation {
    /// The columns of a list.
    package enum Column: String, CaseIterable, Sendable {
        case id, session, opened, last, state, phase, outcome, instrument, events, reference
        case problem, due, imported, amount, money, turn, host

        /// Whether the column shows facts, which a row may lack.
        package var needsFacts: Bool { [.amount, .money, .turn, .host].contains(self) }
    }

    /// The columns on a terminal.
    package static let brief: [Column] = [.id, .opened, .money, .reference, .state, .problem]
    /// The columns on a terminal of unlimited width.
    package static let wide: [Column] = [
        .session, .opened, .money, .last, .state, .instrument, .reference, .problem,
    ]
    /// The columns for programs.
    package static let full: [Column] = [
        .session, .opened, .money, .phase, .outcome, .instrument, .events, .reference, .problem,
    ]

    private let rows: [SessionSummary]
    private let columns: [Column]
    private let isWide: Bool

    /// Creates a list in the given order.
    ///
    /// - Parameters:
    ///   - rows: The sessions.
    ///   - columns: The columns.
    ///   - isWide: Whether all cells are complete, whatever the width of the terminal.
    package init(_ rows: [SessionSummary], columns: [Column] = Self.full, isWide: Bool = false) {
        (self.rows, self.columns, self.isWide) = (rows, columns, isWide)
    }

    /// The rows as JSON.
    package var json: JSONValue { .array(rows.map(\.json)) }

    /// The rows as text: on a terminal each is one line, in which the reference and the problem are
    /// truncated first.
    package func text(for form: TextForm) -> StyledText {
        let columns = columns(for: form)
        var cells = cells(of: columns, form)
        var form = form
        if form.isTerminal, let width = form.columns, !isWide {
            fit(&cells, of: columns, to: width, form.style)
        }
        // Rows that are still too wide are not stacked, unless their cells are to be complete.
        if !isWide { form.columns = nil }
        var table = Table(columns: columns.map(\.rawValue), rows: cells)
        table.isTruncated = false
        return table.text(for: form)
    }

    private func cells(of columns: [Column], _ form: TextForm) -> [[String]] {
        rows.map { row in columns.map { Screen.safe(text(of: $0, row, form)) } }
    }

    /// The columns that are shown: where not all of the brief list fit, the state is left out,
    /// since the money says more.
    private func columns(for form: TextForm) -> [Column] {
        guard columns == Self.brief, form.isTerminal, let width = form.columns,
            !rows.contains(where: { $0.origin == .imported }),
            Self.width(of: columns, cells(of: columns, form)) > width
        else { return columns }
        return columns.filter { $0 != .state }
    }

    private static func widths(of columns: [Column], _ cells: [[String]]) -> [Int] {
        columns.indices.map { index in
            cells.map { $0[index].cellCount }.reduce(columns[index].rawValue.count, max)
        }
    }

    private static func width(of columns: [Column], _ cells: [[String]]) -> Int {
        widths(of: columns, cells).reduce(0, +) + 2 * (columns.count - 1)
    }

    /// The minimum widths of truncated columns, in the order of truncation.
    private static let narrowest: [(column: Column, width: Int)] = [
        (.reference, 16), (.problem, 10), (.state, 8), (.host, 12), (.reference, 8), (.problem, 6),
        (.money, 12),
    ]

    private func fit(
        _ cells: inout [[String]],
        of columns: [Column],
        to width: Int,
        _ style: Style
    ) {
        var widths = Self.widths(of: columns, cells)
        for (column, least) in Self.narrowest {
            let excess = widths.reduce(0, +) + 2 * (widths.count - 1) - width
            guard excess > 0, let index = columns.firstIndex(of: column) else { continue }
            widths[index] = max(
                columns[index].rawValue.count,
                min(widths[index], max(least, widths[index] - excess))
            )
        }
        for (index, column) in columns.enumerated() {
            for row in cells.indices {
                cells[row][index] =
                    column == .reference
                    ? style.cutInside(cells[row][index], to: widths[index])
                    : style.cut(cells[row][index], to: widths[index])
            }
        }
    }

    private func text(of column: Column, _ summary: SessionSummary, _ form: TextForm) -> String {
        switch column {
        case .id: return summary.session.short
        case .session: return "\(summary.session)"
        case .opened: return time(summary.openedAt, form)
        case .last: return time(summary.lastAt, form)
        case .state: return summary.stateText
        case .phase: return summary.phaseText
        case .outcome: return summary.outcome ?? ""
        case .instrument: return summary.label ?? ""
        case .events: return "\(summary.lastSequence)"
        case .reference: return summary.reference ?? ""
        case .problem:
            let name = summary.problemName ?? ""
            return form.isTerminal ? Self.words(name) : name
        case .due: return summary.dueAt.map { time($0, form) } ?? ""
        case .imported: return summary.origin == .imported ? "imported" : ""
        // The amount paid or, before that, the amount to be paid; empty when it is unknown.
        case .amount:
            let amount = summary.facts?.amount.map { Amount($0) }
            return StoryWords.money(amount, summary.facts?.currency, "")
        case .money: return summary.facts?.moneyWords ?? ""
        case .turn: return summary.facts?.turn ?? ""
        case .host: return summary.facts?.host ?? ""
        }
    }

    /// The time, to the minute on a terminal.
    private func time(_ instant: Instant, _ form: TextForm) -> String {
        let text = instant.text(for: form)
        return form.isTerminal ? String(text.prefix(16)) : text
    }

    /// A camel-case name as words: `requestFailed` as `request failed`; the slug of a type
    /// unchanged.
    private static func words(_ name: String) -> String {
        guard !name.unicodeScalars.contains("/") else { return name }
        return name.reduce(into: "") { words, letter in
            if letter.isUppercase { words += " " }
            words += letter.lowercased()
        }
    }
}

extension SessionSummary {
    /// The phase, and whether the session was imported.
    package var phaseText: String { phase + (origin == .imported ? ", imported" : "") }

    /// The outcome or, before the end, the phase, and whether the session was imported.
    package var stateText: String {
        let ended = outcome.map { outcome in
            Outcome(rawValue: outcome)?.word(
                money: facts?.money.flatMap(MoneyState.Standing.init(rawValue:))
            ) ?? outcome
        }
        return (ended ?? phase) + (origin == .imported ? ", imported" : "")
    }

    /// The standing problem as printed by commands: its kind, or the part that identifies its type.
    package var problemName: String? { problem.map { EventWords.slug(of: $0) } }

    /// The time that an engine, or whoever works on a session, is given before it counts as stuck.
    package static let patience = Duration.seconds(60)

    /// Those whose turn means that the engine gave up and waits for a person.
    package static let turnsOfPersons: [TurnName] = [.support, .merchant]

    /// Whether the engine gave up and waits for a person; after a refused abort it goes on.
    package var needsPerson: Bool {
        problem != EngineProblemKind.abortNotAllowed.rawValue
            && Self.turnsOfPersons.contains { $0.rawValue == facts?.turn }
    }

    /// Whether nothing moves the open session by itself.
    ///
    /// The engine gave up, so that it can only expire, or no engine has done what was due. While it
    /// is the payer's turn, it is not stuck.
    ///
    /// This is the only definition of stuck; `list --stuck`, `stats` and `doctor` use it.
    package func isStuck(at now: Instant) -> Bool {
        guard !isOver, origin == .own else { return false }
        let limit = now + (.zero - Self.patience)
        if needsPerson { return lastAt <= limit }
        // Rows without facts do not say who has to act.
        let isPayers = facts.map { $0.turn == TurnName.payer.rawValue } ?? (dueAt == nil)
        return !isPayers && (dueAt ?? lastAt) <= limit
    }
}

extension Outcome {
    /// The outcome for people: a payment that was made, or may have been, is never called failed,
    /// canceled or expired.
    func word(money: MoneyState.Standing?) -> String {
        self != .completed && (money == .confirmed || money == .unknown) ? "ended" : rawValue
    }
}

extension SessionSummary {
    /// The row as JSON.
    package var json: JSONValue { .object(members) }

    /// The row as JSON, also with what only sums and comparisons need.
    package var jsonWithFacts: JSONValue {
        guard let facts else { return .object(members + [.init("facts", .null)]) }
        return .object(
            members + [
                .init(
                    "facts",
                    .object([
                        .init("moneySince", JSONValue(facts.moneySince?.description)),
                        .init("moneySeq", .sequence(facts.moneySequence)),
                        .init("net", JSONValue(facts.net)),
                        .init("doubted", JSONValue(facts.doubted)),
                        .init("countsWith", JSONValue(facts.countsWith?.description)),
                        .init("orderReference", JSONValue(facts.orderReference)),
                        .init("marks", .integer(facts.marks)),
                    ])
                )
            ]
        )
    }

    /// Reads a row from JSON with facts; `nil` for another form.
    package init?(jsonWithFacts json: JSONValue) {
        func text(_ name: String, of value: JSONValue) -> String? {
            guard case .string(let text)? = value[name] else { return nil }
            return text
        }
        func number(_ name: String, of value: JSONValue) -> Int64? {
            guard case .integer(let number)? = value[name] else { return nil }
            return number
        }
        func time(_ name: String, of value: JSONValue) -> Instant? {
            text(name, of: value).flatMap { Instant($0) }
        }
        guard let session = text("session", of: json).flatMap({ SessionID($0) }),
            let phase = text("phase", of: json), case .bool(let isSettled)? = json["settled"],
            let last = number("lastSeq", of: json), let openedAt = time("openedAt", of: json),
            let lastAt = time("lastAt", of: json), case .bool(let isImported)? = json["imported"]
        else { return nil }
        self.init(
            session: session,
            phase: phase,
            outcome: text("outcome", of: json),
            isSettled: isSettled,
            lastSequence: SequenceNumber(rawValue: last),
            openedAt: openedAt,
            lastAt: lastAt,
            reference: text("reference", of: json),
            label: text("instrument", of: json),
            problem: text("problem", of: json),
            dueAt: time("dueAt", of: json),
            origin: isImported ? .imported : .own
        )
        guard case .object? = json["facts"], let kept = json["facts"] else { return }
        facts = SessionFacts(
            turn: text("turn", of: json),
            money: text("money", of: json),
            moneySince: time("moneySince", of: kept),
            moneySequence: SequenceNumber(rawValue: number("moneySeq", of: kept) ?? 0),
            amount: number("amount", of: json),
            net: number("net", of: kept),
            doubted: number("doubted", of: kept),
            currency: text("currency", of: json),
            host: text("host", of: json),
            attempts: number("attempts", of: json) ?? 0,
            countsWith: text("countsWith", of: kept).flatMap { SessionID($0) },
            orderReference: text("orderReference", of: kept),
            marks: number("marks", of: kept) ?? 0
        )
    }

    private var members: [JSONValue.Member] {
        [
            .init("session", .string("\(session)")),
            .init("phase", .string(phase)),
            .init("settled", .bool(isSettled)),
            .init("outcome", JSONValue(outcome)),
            .init("lastSeq", .sequence(lastSequence)),
            .init("openedAt", .string("\(openedAt)")),
            .init("lastAt", .string("\(lastAt)")),
            .init("reference", JSONValue(reference)),
            .init("instrument", JSONValue(label)),
            .init("problem", JSONValue(problem)),
            .init("dueAt", JSONValue(dueAt?.description)),
            .init("money", JSONValue(facts?.money)),
            .init("amount", JSONValue(facts?.amount)),
            .init("currency", JSONValue(facts?.currency)),
            .init("turn", JSONValue(facts?.turn)),
            .init("host", JSONValue(facts?.host)),
            .init("attempts", JSONValue(facts?.attempts)),
            .init("imported", .bool(origin == .imported)),
        ]
    }
}
