package import EventLog
internal import SwedbankPay

/// A match in a session.
package struct Match: Hashable, Sendable {
    /// The name of the field.
    package var field: String
    /// The content of the field, as it may be shown.
    package var value: String

    /// The field of a card that was only offered.
    static let offeredCard = "card, only offered"

    /// Returns the field of a card with which an attempt was made.
    ///
    /// - Parameter result: The result of the attempt: ``AttemptHistory/Entry/result``.
    /// - Returns: The name of the field.
    static func card(_ result: String) -> String {
        switch result {
        case Outcome.completed.rawValue, AttemptHistory.resolvedAsPaid: "card, used to pay"
        case AttemptHistory.probablyCompleted: "card, probably used to pay"
        case AttemptHistory.running: "card, payment in progress"
        case AttemptHistory.unknown: "card, tried, result unknown"
        default: "card, tried, not paid with it"
        }
    }

    /// The order of matches: those by which somebody paid are the first.
    var rank: Int {
        switch field {
        case "card, payment in progress", "card, tried, result unknown": 1
        case "card, tried, not paid with it": 2
        case Self.offeredCard: 3
        default: 0
        }
    }

    /// Creates a match.
    package init(field: String, value: String) { (self.field, self.value) = (field, value) }
}

/// A session with its matches.
package struct Found: Sendable {
    package var row: SessionSummary
    package var matches: [Match]

    /// Creates a value with these members.
    package init(row: SessionSummary, matches: [Match]) {
        self.row = row
        self.matches = matches
    }
}

extension Found {
    /// The state of the money, and whether the session was imported.
    fileprivate var money: String {
        (row.facts?.moneyWords ?? "") + (row.origin == .imported ? ", imported" : "")
    }

    /// The rank of the best match.
    fileprivate var rank: Int { matches.map(\.rank).min() ?? 0 }

    /// The matches for a line of text: a field whose content the line shows is only named.
    fileprivate var shortMatches: String {
        let shown = [row.reference, "\(row.session)"]
        let matches = matches.map {
            shown.contains($0.value) ? $0.field : "\($0.field): \($0.value)"
        }
        return Screen.safe(matches.joined(separator: "; "))
    }
}

/// A list of sessions with their matches.
package struct FoundList: Explanation {
    private let found: [Found]
    private let isContinued: Bool

    /// Creates a list in the given order.
    ///
    /// - Parameters:
    ///   - found: The sessions.
    ///   - isContinued: Whether the beginning of the list was written before.
    package init(_ found: [Found], isContinued: Bool = false) {
        (self.found, self.isContinued) = (found, isContinued)
    }

    /// The sessions as JSON.
    package var json: JSONValue { .array(found.map(json)) }

    /// The sessions in the order of the text: those in which a card was used to pay come first, and
    /// those in which it was only offered last.
    package var ordered: [Found] { (0...3).flatMap { rank in found.filter { $0.rank == rank } } }

    /// The sessions as text; on a terminal each is one line, in which the reference and the matches
    /// are truncated.
    package func text(for form: TextForm) -> StyledText {
        guard !form.isTerminal else { return shortTable(for: form).text(for: form) }
        let table = Table(
            columns: ["session", "opened", "money", "phase", "outcome", "reference", "found in"],
            rows: ordered.map {
                [
                    "\($0.row.session)", $0.row.openedAt.text(for: form),
                    $0.row.facts?.moneyWords ?? "", $0.row.phaseText, $0.row.outcome ?? "",
                    $0.row.reference ?? "",
                    $0.matches.map { "\($0.field): \($0.value)" }.joined(separator: "; "),
                ]
            }
        )
        // In a pipe, the parts form one table with one heading.
        return isContinued
            ? StyledText(Table.tabSeparated(table.rows)) : table.text(for: form)
    }

    /// The width that suffices for the matches on a terminal.
    private static let narrowestMatches = 16

    /// Returns the table for people, with the columns of `list`.
    private func shortTable(for form: TextForm) -> Table {
        var table = Table(
            columns: ["id", "opened", "money", "reference", "found in"],
            rows: ordered.map {
                [
                    $0.row.session.short, String($0.row.openedAt.text(for: form).prefix(16)),
                    $0.money, Screen.safe($0.row.reference ?? ""), $0.shortMatches,
                ]
            }
        )
        guard let columns = form.columns else { return table }
        let widths = table.columns.indices.map { index in
            table.rows.map { $0[index].cellCount }.reduce(table.columns[index].count, max)
        }
        let others = widths[..<3].reduce(0, +) + 2 * (widths.count - 1)
        let room = columns - others - min(widths[4], Self.narrowestMatches)
        for index in table.rows.indices {
            table.rows[index][3] = form.style.cutInside(
                table.rows[index][3],
                to: max(table.columns[3].count, room)
            )
        }
        return table
    }

    private func json(_ found: Found) -> JSONValue {
        .object([
            .init("session", .string("\(found.row.session)")),
            .init("openedAt", .string("\(found.row.openedAt)")),
            .init("phase", .string(found.row.phase)),
            .init("outcome", JSONValue(found.row.outcome)),
            .init("reference", JSONValue(found.row.reference)),
            .init("imported", .bool(found.row.origin == .imported)),
            .init(
                "matches",
                .array(
                    found.matches.map {
                        .object([
                            .init("field", .string($0.field)), .init("value", .string($0.value)),
                        ])
                    }
                )
            ),
        ])
    }
}
