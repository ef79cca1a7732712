public import EventLog
internal import SwedbankPay

/// Session logs in memory, with the semantics of a real store; for tests.
///
/// A handle stands for one process: ``another()`` opens a second one on the same data, like a
/// second or restarted process. The data live as long as any handle.
///
/// - Note: Isolation: any; the data are in an actor.
public final class InMemoryEventStore: DeliveryStore {
    private let data: InMemoryLogs
    private let handle: Int

    /// Creates an empty store.
    ///
    /// - Parameter lanes: The number of its lanes, at most ``LogCursor/maximumLanes``.
    public init(lanes: Int = 1) {
        data = InMemoryLogs(lanes: min(lanes, LogCursor.maximumLanes))
        handle = 0
    }

    private init(data: InMemoryLogs, handle: Int) {
        self.data = data
        self.handle = handle
    }

    /// Opens a second handle on the same data; leases of one exclude the other.
    public func another() async -> InMemoryEventStore {
        InMemoryEventStore(data: data, handle: await data.newHandle())
    }

    /// Makes the next appends fail with an error and write nothing, to simulate a full or broken
    /// disk.
    ///
    /// - Parameters:
    ///   - error: The error; `nil` ends the failures.
    ///   - count: The number of appends that fail.
    public func failAppends(with error: EventStoreError?, count: Int = .max) async {
        await data.failAppends(with: error, count: count)
    }

    /// Appends records of one session, all or none.
    public func append(_ append: StreamAppend) async throws(EventStoreError) {
        try await data.append(append, by: handle)
    }

    /// Reads records of a session in order.
    public func read(
        _ stream: SessionID,
        from first: SequenceNumber,
        limit: Int
    ) async throws(EventStoreError) -> [StoredRecord] {
        try await data.read(stream, from: first, limit: limit, by: handle)
    }

    /// Returns the end of a session's log.
    public func head(of stream: SessionID) async throws(EventStoreError) -> StreamHead? {
        try await data.head(of: stream, by: handle)
    }

    /// Returns the wrapped data key of a session.
    public func wrappedKey(of stream: SessionID) async throws(EventStoreError) -> [UInt8]? {
        try await data.wrappedKey(of: stream, by: handle)
    }

    /// Returns the matching rows of the projection, newest first.
    public func sessions(
        matching query: SessionQuery
    ) async throws(EventStoreError) -> [SessionSummary] {
        try await data.sessions(matching: query, by: handle)
    }

    /// Returns the sessions with something due, the longest overdue first.
    public func sessionsDue(
        by instant: Instant,
        limit: Int
    ) async throws(EventStoreError) -> [SessionID] {
        try await data.sessionsDue(by: instant, limit: limit, by: handle)
    }

    /// Returns a number that changes with each append.
    public func changeCounter() async throws(EventStoreError) -> Int64 {
        try await data.changeCounter(by: handle)
    }

    /// Returns what was appended after a log position.
    public func changes(
        after cursor: LogCursor?,
        limit: Int
    ) async throws(EventStoreError) -> StoreChanges? {
        try await data.changes(after: cursor, limit: limit, by: handle)
    }

    /// Reads the records of all sessions in the order in which they were appended.
    public func records(
        after cursor: LogCursor?,
        limit: Int
    ) async throws(EventStoreError) -> [PositionedRecord] {
        try await data.records(after: cursor, limit: limit, by: handle)
    }

    /// Acquires the lease on a session's effects.
    public func acquireLease(on stream: SessionID) async throws(EventStoreError) -> Bool {
        try await data.acquireLease(on: stream, by: handle)
    }

    /// Releases the lease on a session's effects.
    public func releaseLease(on stream: SessionID) async {
        await data.releaseLease(on: stream, by: handle)
    }

    /// Returns the sessions with records that a consumer has not received yet.
    public func sessionsUndelivered(
        matching query: UndeliveredQuery
    ) async throws(EventStoreError) -> [SessionID] {
        try await data.sessionsUndelivered(matching: query, by: handle)
    }

    /// Changes a consumer's progress.
    public func changeDeliveries(
        _ changes: [DeliveryChange],
        by claim: DeliveryClaim,
        at now: Instant
    ) async throws(EventStoreError) -> [DeliveryProgress?] {
        try await data.changeDeliveries(changes, by: claim, at: now, from: handle)
    }

    /// Closes this handle and releases its leases; the data stay for the other handles.
    public func close() async {
        await data.close(handle)
    }
}
