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
    private let rule: DueRule

    /// The due sessions, oldest first.
    package private(set) var due: [DueSession] = []
    /// The sessions whose rows say that they are due, although their logs do not.
    package private(set) var left: [SessionID: DueRule.Refusal] = [:]

    /// The number of rows read at once.
    private static let batch = 1000

    /// Creates a search that has found nothing yet.
    ///
    /// - Parameters:
    ///   - store: The store.
    ///   - policy: The retention periods.
    ///   - now: The current time.
    ///   - vault: The keys of the store, to check the MACs; `nil` to trust the logs.
    package init(
        of store: any KeyedStore,
        by policy: RetentionPolicy,
        at now: Instant,
        provenBy vault: (any KeyVault)? = nil
    ) {
        (self.store, self.policy, self.now) = (store, policy, now)
        rule = DueRule(policy, at: now, provenBy: vault)
    }

    /// Finds the due sessions: rows propose them, and their logs decide.
    ///
    /// - Parameter limit: The maximum number of sessions; `nil` means all.
    /// - Throws: ``EventStoreError``.
    package mutating func find(limit: Int?) async throws(EventStoreError) {
        guard let shortest = policy.shortest else { return }
        var seen = EndedSession?.none
        while true {
            let ended = try await store.endedSessions(
                withKeyOpenedBefore: now + (.zero - shortest),
                following: seen,
                limit: Self.batch
            )
            guard let last = ended.last else { return }
            seen = last
            for session in ended {
                guard let outcome = Outcome(rawValue: session.outcome) else {
                    throw .corrupt(
                        stream: session.session,
                        sequence: nil,
                        reason: "its row of sessions has an unknown outcome"
                    )
                }
                guard let period = policy.period(for: outcome),
                    session.endedAt + period <= now
                else { continue }
                try await examine(session.session)
                if due.count == limit { return }
            }
        }
    }

    private mutating func examine(_ session: SessionID) async throws(EventStoreError) {
        do throws(LogReadingError) {
            switch await rule.decision(on: try await EvidentLog(of: session, in: store)) {
            case .due(let found): due.append(found)
            case .refused(let refusal): left[session] = refusal
            }
        } catch {
            if case .store(let failure) = error, !error.isDamage { throw failure }
            left[session] = .notAuthentic
        }
    }
}
