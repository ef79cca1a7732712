internal import Adapters
internal import EventLog
internal import Inspection
internal import SwedbankPay

/// Sessions with work that has been due for a while, and that no engine has picked up.
struct OverdueSessions {
    /// The finding about sessions that need an engine; `nil` when there are none.
    let stuck: Finding?
    /// The finding about sessions that wait for the payer.
    let waiting: Finding

    /// Searches a store; imported sessions are ignored.
    init(in store: any PaymentStore, at now: Instant) async throws(EventStoreError) {
        let due = now + (.zero - SessionSummary.patience)
        let overdue = try await store.sessions(
            matching: SessionQuery(overdueSince: due, origin: .own)
        )
        // The row of an earlier build lacks the party that has to act.
        let waiting = overdue.filter { $0.facts?.turn == Turn.payer(.choose).word }
        let stuck = overdue.filter { $0.facts?.turn != Turn.payer(.choose).word }
        let isCut = overdue.count == SessionQuery.defaultLimit
        self.waiting = Self.waiting(waiting, isCut, now)
        guard !stuck.isEmpty else {
            self.stuck = nil
            return
        }
        let (many, age) = (Self.count(stuck, isCut), Self.age(stuck, now))
        self.stuck = Finding(
            .sessions,
            .bad,
            "\(many) \(stuck.count == 1 ? "is" : "are") stuck, the longest for \(age)",
            advice: "'workflowctl resume' continues them; 'workflowctl list --stuck' lists them"
        )
    }

    private static func waiting(
        _ sessions: [SessionSummary],
        _ isCut: Bool,
        _ now: Instant
    ) -> Finding {
        guard !sessions.isEmpty else {
            return Finding(.payers, .good, "an engine polls for every waiting payer")
        }
        let isOne = sessions.count == 1
        let (many, age) = (count(sessions, isCut), age(sessions, now))
        return Finding(
            .payers,
            .warning,
            "\(many) \(isOne ? "is waiting for its payer" : "are waiting for their payers"), and "
                + "no engine has polled the PSP for \(age)",
            advice: "'workflowctl resume' reads them at the PSP"
        )
    }

    private static func count(_ sessions: [SessionSummary], _ isCut: Bool) -> String {
        (isCut ? "at least " : "") + "\(sessions.count)"
    }

    private static func age(_ sessions: [SessionSummary], _ now: Instant) -> String {
        (now - (sessions.compactMap(\.dueAt).min() ?? now)).spoken
    }
}
