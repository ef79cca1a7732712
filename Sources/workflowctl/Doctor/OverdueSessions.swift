internal import Adapters
internal import EventLog
internal import Inspection
internal import SwedbankPay

/// Sessions that are overdue and that no engine has leased.
struct OverdueSessions {
    /// The number of sessions in which the engine has to act.
    let stuck: Finding
    /// The number of sessions in which the payer has to act.
    let waiting: Finding

    /// Counts the overdue sessions; imported ones do not count.
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
            self.stuck =
                try await RestingMoney(in: store, at: now).finding
                ?? Finding(.sessions, .good, "none is stuck")
            return
        }
        let (many, age) = (Self.count(stuck, isCut), Self.age(stuck, now))
        self.stuck = Finding(
            .sessions,
            .bad,
            "\(many) \(stuck.count == 1 ? "is" : "are") stuck, the longest for \(age)",
            advice: "'workflowctl resume' takes them up; 'workflowctl list --stuck' names them"
        )
    }

    private static func waiting(
        _ sessions: [SessionSummary],
        _ isCut: Bool,
        _ now: Instant
    ) -> Finding {
        guard !sessions.isEmpty else {
            return Finding(.payers, .good, "no payer is waited for without an engine that looks")
        }
        let isOne = sessions.count == 1
        let (many, age) = (count(sessions, isCut), age(sessions, now))
        return Finding(
            .payers,
            .warning,
            "\(many) \(isOne ? "waits for its payer" : "wait for their payers"), and no engine has looked at "
                + "\(isOne ? "it" : "them") for \(age)",
            advice: "'workflowctl resume' asks the PSP what has become of them"
        )
    }

    private static func count(_ sessions: [SessionSummary], _ isCut: Bool) -> String {
        (isCut ? "at least " : "") + "\(sessions.count)"
    }

    private static func age(_ sessions: [SessionSummary], _ now: Instant) -> String {
        (now - (sessions.compactMap(\.dueAt).min() ?? now)).spoken
    }
}
