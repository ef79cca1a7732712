package import EventLog
internal import SwedbankPay

/// Sessions as a list shows them.
package struct SessionList: Explanation {
    private let sessions: [SessionSummary]

    /// A list of sessions, in their order.
    package init(_ sessions: [SessionSummary]) { self.sessions = sessions }

    /// The rows as JSON.
    package var json: JSONValue { .array(sessions.map(\.json)) }

    /// The rows for people.
    package func text(for form: TextForm) -> StyledText {
        Table(
            columns: [
                "session", "opened", "phase", "outcome", "instrument", "events", "reference",
                "problem",
            ],
            rows: sessions.map {
                [
                    "\($0.session)", $0.openedAt.text(for: form),
                    $0.phaseText, $0.outcome ?? "", $0.label ?? "",
                    "\($0.lastSequence)", $0.reference ?? "",
                    $0.problem.map { EventWords.slug(of: $0) } ?? "",
                ]
            }
        ).text(for: form)
    }
}

extension SessionSummary {
    /// The phase, and that the session came from elsewhere.
    package var phaseText: String { phase + (origin == .imported ? ", imported" : "") }

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
            .init("imported", .bool(origin == .imported)),
        ])
    }
}
