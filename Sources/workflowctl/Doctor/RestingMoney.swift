internal import Adapters
internal import EventLog
internal import Inspection
internal import SwedbankPay

/// Payments with an unknown outcome in which the engine does nothing more by itself.
struct RestingMoney {
    /// The number of sessions with a problem that are checked, newest first.
    static let limit = 500

    /// The number of such payments among those.
    let count: Int

    /// Counts them in a store.
    ///
    /// Sessions with an event in the last minute are left out, because they may still go on.
    init(in store: any PaymentStore, at now: Instant) async throws(EventStoreError) {
        let quiet = now + (.zero - SessionSummary.patience)
        let troubled = try await store.sessions(matching: SessionQuery(origin: .own)).filter {
            $0.problem != nil && $0.outcome == nil && $0.lastAt < quiet
        }
        var count = 0
        for row in troubled.prefix(Self.limit) {
            var state = SessionState(session: row.session)
            for record in try await store.read(row.session, from: 1, limit: Int(row.lastSequence)) {
                // `verify` reports logs that cannot be read.
                guard let event = try? RecordReader.event(in: record) else { break }
                state.apply(event.event, at: event.at)
            }
            // No engine polls a payment that is in this state.
            if [.unknown, .underWay].contains(state.money.standing) { count += 1 }
        }
        self.count = count
    }

    /// The finding; `nil` when there is no such payment.
    var finding: Finding? {
        guard count > 0 else { return nil }
        return Finding(
            .sessions,
            .warning,
            count == 1
                ? "one rests with a problem, and nobody knows whether money was taken"
                : "\(count) rest with a problem, and nobody knows whether money was taken",
            advice: "'workflowctl at-risk' names them; 'retry' asks the PSP again"
        )
    }
}
