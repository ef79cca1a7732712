package import EventLog
internal import Inspection
internal import SwedbankPay

/// Decides from a session's log whether its retention period has passed.
///
/// The end, its time and the outcome come from records whose MACs are right. A row, or a time
/// stored beside a record, can be written by anybody who writes the store.
package struct DueRule: Sendable {
    /// Why a session that its row proposed is not erased.
    package enum Refusal: String, Hashable, Sendable {
        /// According to the log it has not ended, or not long enough ago.
        case notDue
        /// It was imported, so that its end is not known here.
        case imported
        /// A record was not written with the session's keys, or the keys are not available.
        case notAuthentic
    }

    /// What a log shows.
    package enum Decision: Hashable, Sendable {
        /// It is due.
        case due(DueSession)
        /// It is not erased.
        case refused(Refusal)
    }

    private let policy: RetentionPolicy
    private let now: Instant
    private let vault: (any KeyVault)?

    /// Creates a rule.
    ///
    /// - Parameters:
    ///   - policy: The retention periods.
    ///   - now: The current time.
    ///   - vault: The keys of the store; `nil` to decide without MACs, for a list of what would be
    ///     erased.
    package init(_ policy: RetentionPolicy, at now: Instant, provenBy vault: (any KeyVault)?) {
        (self.policy, self.now, self.vault) = (policy, now, vault)
    }

    /// Decides on a session.
    package func decision(on evidence: EvidentLog) async -> Decision {
        let log = evidence.log
        if evidence.stored.row?.isForeign == true { return .refused(.imported) }
        if let vault, await evidence.stored.finding(in: log.session, with: vault) != .authentic {
            return .refused(.notAuthentic)
        }
        guard let outcome = log.state.outcome, let period = policy.period(for: outcome),
            let end = log.events.first(where: \.event.isEnd)?.at ?? log.events.last?.at,
            end + period <= now
        else { return .refused(.notDue) }
        return .due(DueSession(session: log.session, outcome: outcome, endedAt: end))
    }
}
