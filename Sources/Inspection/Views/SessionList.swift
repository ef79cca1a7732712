package import EventLog
internal import SwedbankPay

/// Sessions as a list shows them.
package struct SessionList: Explanation {
    /// What of a session is shown.
    package enum Column: String, CaseIterable, Sendable {
        case id, session, opened, last, state, phase, outcome, instrument, events, reference
        case problem, due, imported, amount, money, turn, host

        /// Whether it is one of the facts, which a row of an earlier build has not.
        package var needsFacts: Bool { [.amount, .money, .turn, .host].contains(self) }
    }

    /// What is shown on a terminal.
    package static let brief: [Column] = [.id, .opened, .state, .amount, .reference, .problem]
    /// What is shown on one that may be as wide as it likes.
    package static let wide: [Column] = [
        .session, .opened, .last, .state, .amount, .instrument, .reference, .problem,
    ]
    /// What is written for programs.
    package static let full: [Column] = [
        .session, .opened, .phase, .outcome, .instrument, .events, .reference, .problem,
    ]

    private let rows: [SessionSummary]
    private let columns: [Column]
    private let isWide: Bool

    /// A list of sessions, in their order.
    ///
    /// - Parameter isWide: Whether nothing is cut, however wide the terminal is.
    package init(_ rows: [SessionSummary], columns: [Column] = Self.full, isWide: Bool = false) {
        (self.rows, self.columns, self.isWide) = (rows, columns, isWide)
    }

    /// The rows as JSON.
    package var json: JSONValue { .array(rows.map(\.json)) }

    /// The rows for people: on a terminal each is one line, in which the reference and the problem are cut first.
    package func text(for form: TextForm) -> StyledText {
        var cells = rows.map { row in columns.map { text(of: $0, row, form) } }
        var form = form
        if form.isTerminal, let width = form.columns, !isWide {
            fit(&cells, to: width, form.style)
        }
        // What does not fit even so is no reason for a paragraph.
        form.columns = nil
        return Table(columns: columns.map(\.rawValue), rows: cells).text(for: form)
    }

    /// The narrowest that a column is cut to, those that are cut first in front.
    private static let narrowest: [(column: Column, width: Int)] = [
        (.reference, 16), (.problem, 10), (.host, 12), (.money, 12), (.reference, 8), (.problem, 6),
    ]

    private func fit(_ cells: inout [[String]], to width: Int, _ style: Style) {
        cells = cells.map { $0.map { Screen.safe($0) } }
        var widths = columns.indices.map { index in
            cells.map { $0[index].cellCount }.reduce(columns[index].rawValue.count, max)
        }
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
        case .state:
            return (summary.outcome ?? summary.phase)
                + (summary.origin == .imported ? ", imported" : "")
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
        // What was paid, else what is to be paid; empty where nobody said how much.
        case .amount:
            return StoryWords.money(summary.facts?.amount, summary.facts?.currency, "")
        case .money: return summary.facts?.money ?? ""
        case .turn: return summary.facts?.turn ?? ""
        case .host: return summary.facts?.host ?? ""
        }
    }

    /// To the minute on a terminal.
    private func time(_ instant: Instant, _ form: TextForm) -> String {
        let text = instant.text(for: form)
        return form.isTerminal ? String(text.prefix(16)) : text
    }

    /// `requestFailed` as `request failed`; the slug of a type as it is.
    private static func words(_ name: String) -> String {
        guard !name.contains("/") else { return name }
        return name.reduce(into: "") { words, letter in
            if letter.isUppercase { words += " " }
            words += letter.lowercased()
        }
    }
}

extension SessionSummary {
    /// The phase, and that the session came from elsewhere.
    package var phaseText: String { phase + (origin == .imported ? ", imported" : "") }

    /// The standing problem as commands print it: its kind, or what tells its type apart.
    package var problemName: String? { problem.map { EventWords.slug(of: $0) } }

    /// How long something has to be due before a session counts as stuck.
    package static let patience = Duration.seconds(60)

    /// Whether something has been due for a while that nobody did.
    package func isStuck(at now: Instant) -> Bool {
        !isOver && dueAt.map { $0 <= now + (.zero - Self.patience) } ?? false
    }
}

extension SessionSummary {
    /// The row as JSON.
    package var json: JSONValue {
        .object([
            .init("session", .string("\(session)")),
            .init("phase", .string(phase)),
            .init("settled", .bool(isSettled)),
            .init("outcome", JSONValue(outcome)),
            .init("lastSeq", .integer(lastSequence)),
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
        ])
    }
}
