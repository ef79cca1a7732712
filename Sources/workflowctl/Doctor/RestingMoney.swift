internal import Adapters
internal import EventLog
internal import Inspection
internal import SwedbankPay

/// Payments that nothing more is done for by itself, although nobody knows whether money was taken.
struct RestingMoney {
    /// How many of the newest sessions with a problem are looked at.
    static let limit = 500

    /// How many there are among those.
    let count: Int

    /// Finds them in a store.
    ///
    /// Sessions that moved within the last minute are left out, because they may still go on.
    init(in store: any PaymentStore, at now: Instant) async throws(EventStoreError) {
        let quiet = now + (.zero - SessionSummary.patience)
        let troubled = try await store.sessions(matching: SessionQuery(origin: .own)).filter {
            $0.problem != nil && $0.outcome == nil && $0.lastAt < quiet
        }
        var count = 0
        for row in troubled.prefix(Self.limit) {
            var state = SessionState(session: row.session)
            for record in try await store.read(row.session, from: 1, limit: Int(row.lastSequence)) {
                // What can't be read is told by 'verify'.
                guard let event = try? RecordReader.event(in: record) else { break }
                state.apply(event.event, at: event.at)
            }
            // A payment that is under way and rests is read by nobody any more.
            if [.unknown, .underWay].contains(state.money.standing) { count += 1 }
        }
        self.count = count
    }

    /// What to tell; nothing when there are none.
    var finding: Finding? {
        guard count > 0 else { return nil }
        return Finding(
            .sessions,
            .warning,
            count == 1
                ? "one session stopped with a problem, and it is unknown whether money was taken"
                : "\(count) sessions stopped with a problem, and it is unknown whether money was taken",
            advice:
                "'workflowctl at-risk' lists them; 'workflowctl retry' reads them at the PSP again"
        )
    }
}
