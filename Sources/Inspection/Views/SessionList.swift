package import SwedbankPay

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
                    $0.phase.rawValue + ($0.origin == .imported ? ", imported" : ""),
                    $0.outcome?.rawValue ?? "", $0.instrument?.rawValue ?? "",
                    "\($0.lastSequence)", $0.reference ?? "",
                    $0.problem.map { EventWords.slug(of: $0) } ?? "",
                ]
            }
        ).text(for: form)
    }
}

extension SessionSummary {
    /// How long something has to be due before a session counts as stuck.
    package static let patience = Duration.seconds(60)

    /// Whether something has been due for a while that nobody did.
    package func isStuck(at now: Instant) -> Bool {
        phase != .ended && dueAt.map { $0 <= now + (.zero - Self.patience) } ?? false
    }
}

extension SessionSummary {
    /// The row as JSON.
    fileprivate var json: JSONValue {
        .object([
            .init("session", .string("\(session)")),
            .init("phase", .string(phase.rawValue)),
            .init("settled", .bool(isSettled)),
            .init("outcome", JSONValue(outcome?.rawValue)),
            .init("lastSeq", .integer(lastSequence)),
            .init("openedAt", .string("\(openedAt)")),
            .init("lastAt", .string("\(lastAt)")),
            .init("reference", JSONValue(reference)),
            .init("instrument", JSONValue(instrument?.rawValue)),
            .init("problem", JSONValue(problem)),
            .init("dueAt", JSONValue(dueAt?.description)),
            .init("imported", .bool(origin == .imported)),
        ])
    }
}
