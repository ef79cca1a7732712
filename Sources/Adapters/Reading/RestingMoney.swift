package import EventLog
internal import Inspection
package import SwedbankPay

/// Payments that need a person, because their outcome is unknown.
package struct RestingMoney: Sendable {
    /// The number of payments whose logs are read, and of rows without facts.
    package static let limit = 500

    /// The number of payments whose outcome is unknown.
    package private(set) var unknown = 0
    /// The number of those that a retry continues.
    package private(set) var retryable = 0
    /// The number of the others whose session has ended.
    package private(set) var ended = 0

    /// Searches a store; imported sessions are ignored.
    ///
    /// Sessions that changed within the last minute may still continue: unknown payments are
    /// reported once one of them has not changed for a minute.
    package init(
        in store: any PersistentStore,
        by decider: SessionDecider,
        at now: Instant
    ) async throws(EventStoreError) {
        let quiet = now + (.zero - SessionSummary.patience)
        var (rows, totals) = ([SessionID: SessionSummary](), MoneyTotals())
        for row in try await Self.rows(in: store, by: decider) {
            rows[row.session] = row
            totals.add(row)
        }
        let payments = totals.unknown.compactMap { rows[$0.session] }
        guard payments.contains(where: { $0.lastAt < quiet }) else { return }
        unknown = payments.count
        for row in payments.prefix(Self.limit) {
            let state = try await Self.state(of: row, in: store)
            if decider.retryRefusal(in: state, at: now) == nil {
                retryable += 1
            } else if row.isOver {
                ended += 1
            }
        }
    }

    /// Returns the rows that are summed one by one, with the facts of the logs where an earlier
    /// build wrote the row.
    private static func rows(
        in store: any PersistentStore,
        by decider: SessionDecider
    ) async throws(EventStoreError) -> [SessionSummary] {
        var rows = try await store.sessionsToSum(SessionQuery(origin: .own))
        let stale = SessionQuery(hasFacts: false, origin: .own, limit: limit)
        for var row in try await store.sessions(matching: stale) {
            row.facts = decider.facts(of: try await state(of: row, in: store))
            rows.append(row)
        }
        return rows
    }

    /// Returns the state of a session, up to the first record that cannot be read, which a
    /// verification reports.
    private static func state(
        of row: SessionSummary,
        in store: any PersistentStore
    ) async throws(EventStoreError) -> SessionState {
        var state = SessionState(session: row.session)
        for record in try await store.read(row.session, from: 1, limit: row.lastSequence.count) {
            guard let event = try? RecordReader.event(in: record) else { break }
            state.apply(event.event, at: event.at)
        }
        return state
    }
}
