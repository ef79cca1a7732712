package import EventLog
internal import Inspection
internal import SwedbankPay

/// The open sessions that nothing moves by itself, and those that wait for their payer while no
/// engine reads them.
package struct StuckSessions: Sendable {
    /// The stuck sessions in which work is overdue that no engine has picked up.
    package let overdue: [SessionSummary]
    /// The stuck sessions that need a person, because the engine gave up.
    package let stopped: [SessionSummary]
    /// The sessions that wait for the payer, and that no engine has read for a while.
    package let waiting: [SessionSummary]

    /// The stuck sessions: ``SessionSummary/isStuck(at:)``.
    package var all: [SessionSummary] { overdue + stopped }

    /// Searches a store; imported sessions are ignored, since nothing is to move them.
    ///
    /// - Parameters:
    ///   - query: The sessions among which to search.
    ///   - store: The store.
    ///   - now: The current time.
    /// - Throws: ``EventStoreError`` when the store cannot be read.
    package init(
        _ query: SessionQuery = SessionQuery(),
        in store: any PersistentStore,
        at now: Instant
    ) async throws(EventStoreError) {
        var open = query
        (open.origin, open.isOpen) = (.own, true)
        var (late, undue, needy) = (open, open, [SessionQuery]())
        late.overdueSince = now + (.zero - SessionSummary.patience)
        undue.undueUntil = now + SessionSummary.dueTolerance
        for turn in SessionSummary.turnsOfPersons {
            var query = open
            query.turn = turn.rawValue
            needy.append(query)
        }
        var (seen, rows) = (Set<SessionID>(), [SessionSummary]())
        for query in needy + [late, undue] {
            for row in try await store.allRows(matching: query)
            where row.isStuck(at: now) && seen.insert(row.session).inserted { rows.append(row) }
        }
        overdue = rows.filter { !$0.needsPerson && $0.dueAt != nil }
        stopped = rows.filter { $0.needsPerson || $0.dueAt == nil }
        waiting = try await store.allRows(matching: late).filter { !$0.isStuck(at: now) }
    }
}
