package import EventLog
internal import SwedbankPay

/// Open payments whose money is under way or unknown, and which nobody reads at the PSP: the engine
/// gave up, or nothing is scheduled.
package struct RestingPayments: Sendable {
    /// How long a payment must have rested to count.
    package static let patience = Duration.seconds(120)

    /// The sessions.
    package let sessions: [SessionSummary]

    /// Searches a store; imported sessions are ignored.
    ///
    /// - Throws: ``EventStoreError`` when the store cannot be read.
    package init(in store: any PersistentStore, at now: Instant) async throws(EventStoreError) {
        var found: [SessionSummary] = []
        for standing in [MoneyState.Standing.underWay, .unknown] {
            let query = SessionQuery(isOpen: true, origin: .own)
                .with(money: standing.rawValue)
            found += try await store.sessions(matching: query).filter { $0.rests(at: now) }
        }
        sessions = found
    }
}

extension SessionSummary {
    /// Whether money is under way or unknown, according to the row.
    var mayBeTaken: Bool {
        facts?.money == MoneyState.Standing.underWay.rawValue
            || facts?.money == MoneyState.Standing.unknown.rawValue
    }

    /// Whether the engine gave up, or nothing is scheduled, for longer than is usual.
    ///
    /// Since when the engine has given up is not in the row, and reads that fail again are events,
    /// too: the time counts from when the money became as it is.
    fileprivate func rests(at now: Instant) -> Bool {
        let hasGivenUp =
            problem == EngineProblemKind.requestFailed.rawValue
            || problem == EngineProblemKind.inconsistency.rawValue
        let since = hasGivenUp ? facts?.moneySince ?? lastAt : lastAt
        return (hasGivenUp || dueAt == nil) && now - since > RestingPayments.patience
    }
}
