package import EventLog
internal import SwedbankPay

/// Where in a session something was found.
package struct Match: Hashable, Sendable {
    /// In which field.
    var field: String
    /// What stands there, as it may be shown.
    var value: String

    /// A match.
    package init(field: String, value: String) { (self.field, self.value) = (field, value) }
}

/// A session with what was found in it.
package struct Found: Sendable {
    /// The session.
    package var row: SessionSummary
    /// What was found.
    package var matches: [Match]

    /// A session in which something was found.
    package init(row: SessionSummary, matches: [Match]) {
        self.row = row
        self.matches = matches
    }
}

/// Sessions in which something was found.
package struct FoundList: Explanation {
    private let found: [Found]
    private let isContinued: Bool

    /// A list of sessions, in their order.
    ///
    /// - Parameter isContinued: Whether the beginning of the list was written before.
    package init(_ found: [Found], isContinued: Bool = false) {
        (self.found, self.isContinued) = (found, isContinued)
    }

    /// The sessions as JSON.
    package var json: JSONValue { .array(found.map(json)) }

    /// The sessions for people.
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
        // In a pipe it is one table.
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
