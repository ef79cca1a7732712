package import EventLog
internal import SwedbankPay

/// Sessions that engines do not find, because their rows contradict themselves: nothing is due in
/// them, although only an engine can move them, or they are marked as imported, although a MAC says
/// that they were opened here.
///
/// A running engine compares such rows with their logs and corrects them.
package struct ForgottenSessions: Sendable {
    /// The sessions, at most ``limit`` of each kind.
    package let sessions: [SessionSummary]
    /// The maximum number of sessions of each kind that are read.
    package static let limit = 1000

    /// Searches a store.
    package init(in store: any PersistentStore, at now: Instant) async throws(EventStoreError) {
        var found: [SessionSummary] = []
        var query = SessionQuery(hasProblem: false, origin: .own, limit: Self.limit)
        query.undueUntil = now + SessionSummary.dueTolerance
        for turn in [Turn.engine, .psp] {
            query.turn = turn.word
            found += try await store.sessions(matching: query)
        }
        (query.turn, query.hasProblem, query.origin) = (nil, nil, .imported)
        found += try await store.sessions(matching: query)
        sessions = found
    }
}
