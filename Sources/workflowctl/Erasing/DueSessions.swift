internal import Adapters
internal import EventLog
internal import SwedbankPay

/// A session whose sealed values have been kept for the retention period.
struct DueSession: Hashable, Sendable {
    let session: SessionID
    let outcome: Outcome
    let endedAt: Instant
}

/// Finds the sessions whose sealed values have been kept for the period of a policy.
struct DueSessions: Sendable {
    let store: any KeyedStore
    let policy: RetentionPolicy
    let now: Instant

    /// The number of rows read at once.
    private static let batch = 1000

    /// Returns the due sessions, oldest first.
    ///
    /// `limit` is the maximum number of them; `nil` means all.
    func find(limit: Int?) async throws(Failure) -> [DueSession] {
        guard let shortest = policy.shortest else { return [] }
        var (due, seen) = ([DueSession](), EndedSession?.none)
        while true {
            let ended: [EndedSession]
            do throws(EventStoreError) {
                ended = try await store.endedSessions(
                    withKeyOpenedBefore: now + (.zero - shortest),
                    following: seen,
                    limit: Self.batch
                )
            } catch {
                throw Failure(error)
            }
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
