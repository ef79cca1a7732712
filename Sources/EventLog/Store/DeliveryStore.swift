/// A store that also records how much of each session's log external consumers have received.
///
/// A consumer receives every event at least once and in order, from whichever process is running;
/// an example is a log of events kept by another company. Only one process at a time works on a
/// session for a consumer: it holds a claim, which expires by itself when the process is gone.
///
/// - Note: Isolation: as ``EventStore``. Changes wait for appends, never the reverse.
public protocol DeliveryStore: EventStore {
    /// The sessions with events that a consumer has not received, oldest first, excluding claimed
    /// ones.
    ///
    /// - Parameter query: The consumer, and which sessions to consider.
    /// - Returns: The sessions.
    /// - Throws: ``EventStoreError`` when the store can't be read.
    func sessionsUndelivered(
        matching query: UndeliveredQuery
    ) async throws(EventStoreError) -> [SessionID]

    /// Changes a consumer's progress, with all changes in one transaction.
    ///
    /// - Parameters:
    ///   - changes: The changes, in this order.
    ///   - claim: The worker that makes the changes, and until when it claims the sessions.
    ///   - now: The current time; claims that ended before it are ignored.
    /// - Returns: For each change the progress after it, or `nil` when another worker has the
    ///   session or the session does not exist; then nothing was changed.
    /// - Throws: ``EventStoreError`` when the store can't be written.
    func changeDeliveries(
        _ changes: [DeliveryChange],
        by claim: DeliveryClaim,
        at now: Instant
    ) async throws(EventStoreError) -> [DeliveryProgress?]
}

/// A consumer's progress with a session.
public struct DeliveryProgress: Hashable, Sendable {
    /// The sequence number of the last event that the consumer is done with; it never decreases.
    public var position: SequenceNumber
    /// The number of messages about events up to that one that were given up.
    public var dropped: Int64

    /// The progress of a consumer that has not received any event.
    public static let start = DeliveryProgress(position: 0, dropped: 0)

    /// Creates a progress value.
    public init(position: SequenceNumber, dropped: Int64) {
        self.position = position
        self.dropped = dropped
    }
}

/// The worker that claims deliveries.
public struct DeliveryClaim: Hashable, Sendable {
    /// The consumer, for example `event-logging`.
    public var consumer: String
    /// The worker: a number that no other worker has.
    public var worker: Int64
    /// When the claim expires unless it is renewed; every change renews it.
    public var until: Instant

    /// Creates a claim.
    public init(consumer: String, worker: Int64, until: Instant) {
        self.consumer = consumer
        self.worker = worker
        self.until = until
    }
}

/// A change to a consumer's progress with a session.
public enum DeliveryChange: Hashable, Sendable {
    /// Claims the session, unless another worker has it.
    case claim(SessionID)
    /// Records the progress and keeps the claim.
    case advance(SessionID, DeliveryProgress)
    /// Records the progress and releases the claim.
    case release(SessionID, DeliveryProgress)

    /// The session that is changed.
    public var session: SessionID {
        switch self {
        case .claim(let session), .advance(let session, _), .release(let session, _): session
        }
    }
}

/// Selects the sessions with events that a consumer has not received.
public struct UndeliveredQuery: Hashable, Sendable {
    /// The consumer.
    public var consumer: String
    /// Only sessions opened at this time or later; older ones are given up.
    public var openedSince: Instant
    /// The current time; claims that ended before it are ignored.
    public var now: Instant
    /// Only sessions newer than this one, for paging.
    public var after: SessionID?
    /// The maximum number of sessions.
    public var limit: Int

    /// Creates a query with these conditions.
    public init(
        consumer: String,
        openedSince: Instant,
        now: Instant,
        after: SessionID? = nil,
        limit: Int
    ) {
        self.consumer = consumer
        self.openedSince = openedSince
        self.now = now
        self.after = after
        self.limit = limit
    }
}
