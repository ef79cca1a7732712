internal import Adapters
internal import EventLog
internal import Inspection
internal import SwedbankPay

/// Payments for which nothing more will be done automatically, although it is unknown whether money
/// was taken.
struct RestingMoney {
    /// The number of newest sessions with a problem that are checked.
    static let limit = 500

    /// The number of such payments.
    let count: Int

    /// Searches a store.
    ///
    /// Sessions that changed within the last minute are left out, because they may still continue.
    init(in store: any PaymentStore, at now: Instant) async throws(EventStoreError) {
        let quiet = now + (.zero - SessionSummary.patience)
        let troubled = try await store.sessions(matching: SessionQuery(origin: .own)).filter {
            $0.problem != nil && $0.outcome == nil && $0.lastAt < quiet
        }
        var count = 0
        for row in troubled.prefix(Self.limit) {
            var state = SessionState(session: row.session)
            for record in try await store.read(row.session, from: 1, limit: row.lastSequence.count)
            {
                // 'verify' reports records that cannot be read.
                guard let event = try? RecordReader.event(in: record) else { break }
                state.apply(event.event, at: event.at)
            }
            // No engine polls a payment that is in this state.
            if [.unknown, .underWay].contains(state.money.standing) { count += 1 }
        }
        self.count = count
    }

    /// The finding; `nil` when there are no such payments.
    var finding: Finding? {
        guard count > 0 else { return nil }
        return Finding(
            .sessions,
            .warning,
            count == 1
                ? "one session stopped with a problem, and it is unknown whether money was taken"
                : "\(count) sessions stopped with a problem, and it is unknown whether money was taken",
            advice:
                "'workflowctl at-risk' lists them; 'retry' reads each at the PSP and then continues it"
        )
    }
}
