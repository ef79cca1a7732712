package import EventLog

/// Open sessions whose logs end in the future, because a clock was ahead of this one when their
/// newest event was recorded.
package struct AheadLogs: Sendable {
    /// How far ahead a log must be to count.
    package static let tolerance = Duration.seconds(5)

    /// The number of sessions.
    package let count: Int
    /// How far the newest of them lies in the future; zero when there is none.
    package let longest: Duration

    /// Searches a store; imported sessions are ignored.
    ///
    /// - Throws: ``EventStoreError`` when the store cannot be read.
    package init(in store: any PersistentStore, at now: Instant) async throws(EventStoreError) {
        var query = SessionQuery(isOpen: true, origin: .own)
        query.lastAfter = now + Self.tolerance
        let rows = try await store.sessions(matching: query)
        count = rows.count
        longest = rows.map { $0.lastAt - now }.max() ?? .zero
    }
}
