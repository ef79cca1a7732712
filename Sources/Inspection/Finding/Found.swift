package import EventLog
internal import SwedbankPay

/// A match in a session.
package struct Match: Hashable, Sendable {
    /// The name of the field.
    var field: String
    /// The content of the field, as it may be shown.
    var value: String

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

    /// The sessions as text.
    package func text(for form: TextForm) -> StyledText {
        let table = Table(
            columns: ["session", "opened", "phase", "outcome", "reference", "found in"],
            rows: found.map {
                [
                    "\($0.row.session)", $0.row.openedAt.text(for: form), $0.row.phaseText,
                    $0.row.outcome ?? "", $0.row.reference ?? "",
                    $0.matches.map { "\($0.field): \($0.value)" }.joined(separator: "; "),
                ]
            }
        )
        // In a pipe, the parts form one table with one heading.
        guard isContinued, !form.isTerminal else { return table.text(for: form) }
        return StyledText(Table.tabSeparated(table.rows))
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
