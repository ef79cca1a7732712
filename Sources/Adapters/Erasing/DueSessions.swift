package import EventLog
package import SwedbankPay

/// A session whose sealed values have been kept for the retention period.
package struct DueSession: Hashable, Sendable {
    /// The session.
    package let session: SessionID
    /// The outcome of the session.
    package let outcome: Outcome
    /// When the session ended, not counting later operator actions.
    package let endedAt: Instant
}

/// Finds the sessions whose sealed values have been kept for the period of a policy.
package struct DueSessions: Sendable {
    private let store: any KeyedStore
    private let policy: RetentionPolicy
    private let now: Instant

    /// The number of rows read at once.
    private static let batch = 1000

    /// Creates a search.
    ///
    /// - Parameters:
    ///   - store: The store.
    ///   - policy: The retention periods.
    ///   - now: The current time.
    package init(of store: any KeyedStore, by policy: RetentionPolicy, at now: Instant) {
        (self.store, self.policy, self.now) = (store, policy, now)
    }

    /// Returns the due sessions, oldest first.
    ///
    /// - Parameter limit: The maximum number of sessions; `nil` means all.
    /// - Returns: The sessions.
    /// - Throws: ``EventStoreError``.
    package func find(limit: Int?) async throws(EventStoreError) -> [DueSession] {
        guard let shortest = policy.shortest else { return [] }
        var (due, seen) = ([DueSession](), EndedSession?.none)
        while true {
            let ended = try await store.endedSessions(
                withKeyOpenedBefore: now + (.zero - shortest),
                following: seen,
                limit: Self.batch
            )
            guard let last = ended.last else { return due }
            seen = last
            for session in ended {
                guard let period = policy.period(for: session.outcome),
                    session.endedAt + period <= now
                else { continue }
                due.append(
                    DueSession(
                        session: session.session,
                        outcome: session.outcome,
                        endedAt: session.endedAt
                    )
                )
                if due.count == limit { return due }
            }
        }
    }
}
