/// A store that also remembers how far consumers outside have come with each session's log.
///
/// A consumer is something that is told of every event at least once, in order, by whatever process is there to do it,
/// for example a log of events that another company keeps. Of several processes one at a time works on a session for a consumer: it holds
/// a claim, which ends by itself when the process is gone.
///
/// - Note: Isolation: as ``EventStore``. Changes wait behind appends, never the other way round.
public protocol DeliveryStore: EventStore {
    /// The sessions whose log goes on after what a consumer has got, oldest first; claimed ones are left out.
    ///
    /// - Parameters:
    ///   - query: Which consumer, and which sessions at all.
    func sessionsUndelivered(
        matching query: UndeliveredQuery
    ) async throws(EventStoreError) -> [SessionID]

    /// Makes changes to a consumer's progress, all in one transaction.
    ///
    /// - Parameters:
    ///   - changes: What to change, in this order.
    ///   - claim: On whose behalf, and until when it claims the sessions.
    ///   - now: Claims that ended before this time count for nothing.
    /// - Returns: For each change the progress after it; nil when another worker has the session, or there is no
    ///   such session: then nothing was changed.
    func changeDeliveries(
        _ changes: [DeliveryChange],
        by claim: DeliveryClaim,
        at now: Instant
    ) async throws(EventStoreError) -> [DeliveryProgress?]
}

/// How far a consumer has come with a session.
public struct DeliveryProgress: Hashable, Sendable {
    /// The place of the last event that it needs nothing more of; it never goes back.
    public var position: Int64
    /// How many messages about events up to there were given up.
    public var dropped: Int64

    /// The progress of a consumer that has got nothing.
    public static let start = DeliveryProgress(position: 0, dropped: 0)

    /// A progress.
    public init(position: Int64, dropped: Int64) {
        self.position = position
        self.dropped = dropped
    }
}

/// Who works on deliveries.
public struct DeliveryClaim: Hashable, Sendable {
    /// Whom it delivers to, for example `event-logging`.
    public var consumer: String
    /// The worker: a number that no other worker has.
    public var worker: Int64
    /// When the claim ends unless it is renewed, which every change does.
    public var until: Instant

    /// A claim.
    public init(consumer: String, worker: Int64, until: Instant) {
        self.consumer = consumer
        self.worker = worker
        self.until = until
    }
}

/// A change to a consumer's progress with a session.
public enum DeliveryChange: Hashable, Sendable {
    /// Take the session, unless another worker has it.
    case claim(SessionID)
    /// Note the progress and keep the session.
    case advance(SessionID, DeliveryProgress)
    /// Note the progress and let go of the session.
    case release(SessionID, DeliveryProgress)

    /// The session that it is about.
    public var session: SessionID {
        switch self {
        case .claim(let session), .advance(let session, _), .release(let session, _): session
        }
    }
}

/// Which sessions a consumer has not got all of.
public struct UndeliveredQuery: Hashable, Sendable {
    /// Whom to deliver to.
    public var consumer: String
    /// Only sessions opened at this time or later; older ones are given up.
    public var openedSince: Instant
    /// Claims that ended before this time count for nothing.
    public var now: Instant
    /// Only sessions younger than this one, for reading on.
    public var after: SessionID?
    /// How many at the most.
    public var limit: Int

    /// A query with these conditions.
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
