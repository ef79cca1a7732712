/// The records of all sessions in one order, for subscribers and for engines that share a store.
public protocol LogFeed: Sendable {
    /// A number that changes when any process has appended to the store: a cheap way to look for news.
    func changeCounter() async throws(EventStoreError) -> Int64

    /// What was appended after a place in the store's order over all sessions, so that a process with many sessions need
    /// not ask for each of them.
    ///
    /// - Parameters:
    ///   - position: The place, as an earlier answer named it; nothing asks only for the newest one.
    ///   - limit: How many records at the most.
    /// - Returns: Nil when the store has no such order: then each session's head is asked for.
    func news(after position: Int64?, limit: Int) async throws(EventStoreError) -> StoreNews?

    /// Reads the records of all sessions in the order in which they became durable: a subscription.
    ///
    /// Whoever goes on from the last place that it has seen, each time, sees every record once and misses none, whatever
    /// others append meanwhile and however long they take: no record ever appears at or before a place that was read.
    ///
    /// - Parameters:
    ///   - position: The last place seen; 0 to begin.
    ///   - limit: How many at the most.
    /// - Returns: The records after that place; none at the end.
    func records(
        after position: Int64,
        limit: Int
    ) async throws(EventStoreError) -> [PositionedRecord]
}

extension LogFeed {
    /// Nothing: the store has no order over all sessions.
    public func news(
        after position: Int64?,
        limit: Int
    ) async throws(EventStoreError) -> StoreNews? { nil }
}

/// What was appended to a store after a place in its order.
public struct StoreNews: Hashable, Sendable {
    /// The place to ask from next time; it never goes back.
    public var position: Int64
    /// The sessions that were appended to, and the newest place of each of their logs among what was found.
    public var heads: [SessionID: Int64]
    /// Whether there was nothing more.
    public var isComplete: Bool

    /// What was found.
    public init(position: Int64, heads: [SessionID: Int64] = [:], isComplete: Bool = true) {
        self.position = position
        self.heads = heads
        self.isComplete = isComplete
    }
}
