/// The records of all sessions, for subscribers and for engines that share a store.
///
/// A store has one lane or several: each is an order of records, and all records of a session are
/// in one of them. There is no order between the records of different lanes.
public protocol LogFeed: Sendable {
    /// A number that changes when any process has appended to the store: a cheap way to check for
    /// new records.
    func changeCounter() async throws(EventStoreError) -> Int64

    /// Finds the sessions appended to after a log position, so that a process with many sessions
    /// need not query each one.
    ///
    /// - Parameters:
    ///   - cursor: The log position that the previous call returned; `nil` to get only the newest
    ///     one.
    ///   - limit: The maximum number of records.
    /// - Returns: What was appended, or `nil` when the store has no such order; then read each
    ///   session's head.
    /// - Throws: ``EventStoreError/cursorRefused(_:)`` when the log position means nothing in this
    ///   store, ``EventStoreError`` when the store can't be read.
    func changes(
        after cursor: LogCursor?,
        limit: Int
    ) async throws(EventStoreError) -> StoreChanges?

    /// Reads the records of all sessions, those of each lane in the order in which they became
    /// durable: a subscription.
    ///
    /// A reader that always continues from the last log position it has seen reads every record
    /// exactly once, whatever others append in the meantime. No record ever appears in a lane at or
    /// before a position that has been read. One record of each lane is read in turn, beginning
    /// after the lane that was read last, so that no lane delays another.
    ///
    /// - Parameters:
    ///   - cursor: The last log position seen; `nil` to start at the beginning.
    ///   - limit: The maximum number of records.
    /// - Returns: The records after that position; empty at the end.
    /// - Throws: ``EventStoreError/cursorRefused(_:)`` when the log position is of another store or
    ///   epoch, or beyond the end of the store, ``EventStoreError`` when the store can't be read. A
    ///   standby that lags behind will reach a position beyond its end, but so will a store that
    ///   was restored, with other records: retry only if you can compare the last record you read.
    func records(
        after cursor: LogCursor?,
        limit: Int
    ) async throws(EventStoreError) -> [PositionedRecord]
}

extension LogFeed {
    /// Returns `nil`: by default a store has no order over all sessions.
    public func changes(
        after cursor: LogCursor?,
        limit: Int
    ) async throws(EventStoreError) -> StoreChanges? { nil }
}

/// The sessions appended to after a log position.
public struct StoreChanges: Hashable, Sendable {
    /// The log position to pass next time; it never goes back.
    public var cursor: LogCursor
    /// The sessions that were appended to, each with the highest sequence number found.
    public var heads: [SessionID: SequenceNumber]
    /// Whether there were no further records.
    public var isComplete: Bool

    /// Creates a result.
    public init(
        cursor: LogCursor,
        heads: [SessionID: SequenceNumber] = [:],
        isComplete: Bool = true
    ) {
        self.cursor = cursor
        self.heads = heads
        self.isComplete = isComplete
    }
}
