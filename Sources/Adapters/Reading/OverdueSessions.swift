package import EventLog
internal import Inspection
internal import SwedbankPay

/// Sessions with work that has been due for a while, and that no engine has picked up.
package struct OverdueSessions: Sendable {
    /// The sessions that need an engine.
    package let stuck: [SessionSummary]
    /// The sessions that wait for the payer.
    package let waiting: [SessionSummary]
    /// Whether there may be more of them.
    package let isCut: Bool

    /// Searches a store; imported sessions are ignored.
    package init(in store: any PaymentStore, at now: Instant) async throws(EventStoreError) {
        let due = now + (.zero - SessionSummary.patience)
        let overdue = try await store.sessions(
            matching: SessionQuery(overdueSince: due, origin: .own)
        )
        // The row of an earlier build lacks the party that has to act.
        waiting = overdue.filter { $0.facts?.turn == Turn.payer(.choose).word }
        stuck = overdue.filter { $0.facts?.turn != Turn.payer(.choose).word }
        isCut = overdue.count == SessionQuery.defaultLimit
    }
}
