/// Where a session stands, in one word.
public enum Phase: String, Hashable, Sendable, CaseIterable {
    /// The session is being read and prepared; no methods are known.
    case opening
    /// The methods are known; it is the payer's turn to choose.
    case ready
    /// An attempt is under way and the engine is working.
    case attempting
    /// The client has been asked to do something.
    case awaitingClient
    /// Nothing but waiting for the PSP is left.
    case awaitingPSP
    /// The session is over.
    case ended
}

/// How a session ended; exactly one, for ever.
public enum Outcome: String, Hashable, Sendable, CaseIterable {
    /// Paid, on the PSP's word.
    case completed
    /// Ended unpaid, in good order.
    case canceled
    /// Over without a clean end.
    case failed
    /// Not finished in time.
    case expired
}

/// A session's row in the projection: what lists and searches need, derived from its events.
public struct SessionSummary: Hashable, Sendable {
    /// The session.
    public var session: SessionID
    /// Where it stands.
    public var phase: Phase
    /// How it ended.
    public var outcome: Outcome?
    /// Whether nothing is outstanding on the engine's side.
    public var isSettled: Bool
    /// The last event's place.
    public var lastSequence: Int64
    /// When it was opened.
    public var openedAt: Instant
    /// When its last event was recorded.
    public var lastAt: Instant
    /// The merchant's reference.
    public var reference: String?
    /// What the newest attempt pays with.
    public var instrument: Instrument?
    /// The kind or type of a standing problem.
    public var problem: String?
    /// When something is due next; nothing when only the client can go on.
    public var dueAt: Instant?
    /// HMAC of the session's address under a key of the store, to find the session of an address.
    public var addressFingerprint: Digest256?
    /// The MAC of where the log ends, under the session's keys: a log whose end was cut off does not have it.
    public var headMAC: Digest256?
    /// Where the log comes from; written with a session's first record, and never changed.
    public var origin: SessionOrigin

    /// A row with these members.
    public init(
        session: SessionID,
        phase: Phase,
        outcome: Outcome? = nil,
        isSettled: Bool,
        lastSequence: Int64,
        openedAt: Instant,
        lastAt: Instant,
        reference: String? = nil,
        instrument: Instrument? = nil,
        problem: String? = nil,
        dueAt: Instant? = nil,
        addressFingerprint: Digest256? = nil,
        headMAC: Digest256? = nil,
        origin: SessionOrigin = .own
    ) {
        self.session = session
        self.phase = phase
        self.outcome = outcome
        self.isSettled = isSettled
        self.lastSequence = lastSequence
        self.openedAt = openedAt
        self.lastAt = lastAt
        self.reference = reference
        self.instrument = instrument
        self.problem = problem
        self.dueAt = dueAt
        self.addressFingerprint = addressFingerprint
        self.headMAC = headMAC
        self.origin = origin
    }
}

/// Where a session's log comes from.
public enum SessionOrigin: String, Hashable, Sendable, CaseIterable {
    /// An engine of this store opened it.
    case own
    /// It was written elsewhere, and taken in to be read: it is never driven, and counts as none of ours.
    case imported
}

/// Which sessions a list shows; conditions that are given must all hold.
public struct SessionQuery: Hashable, Sendable {
    /// In this phase.
    public var phase: Phase?
    /// Ended like this.
    public var outcome: Outcome?
    /// Whose newest attempt pays with this.
    public var instrument: Instrument?
    /// Opened at this time or later.
    public var since: Instant?
    /// Opened before this time.
    public var until: Instant?
    /// With exactly this merchant reference.
    public var reference: String?
    /// Of the session address with this fingerprint.
    public var addressFingerprint: Digest256?
    /// Not ended, and something has been due since this time or earlier.
    public var overdueSince: Instant?
    /// Whose log comes from there; nothing for all.
    public var origin: SessionOrigin?
    /// Only sessions older than this one, for reading on.
    public var before: SessionID?
    /// How many at the most.
    public var limit: Int

    /// The most rows that one query returns.
    public static let defaultLimit = 10_000

    /// A query with these conditions.
    public init(
        phase: Phase? = nil,
        outcome: Outcome? = nil,
        instrument: Instrument? = nil,
        since: Instant? = nil,
        until: Instant? = nil,
        reference: String? = nil,
        addressFingerprint: Digest256? = nil,
        overdueSince: Instant? = nil,
        origin: SessionOrigin? = nil,
        before: SessionID? = nil,
        limit: Int = SessionQuery.defaultLimit
    ) {
        self.phase = phase
        self.outcome = outcome
        self.instrument = instrument
        self.since = since
        self.until = until
        self.reference = reference
        self.addressFingerprint = addressFingerprint
        self.overdueSince = overdueSince
        self.origin = origin
        self.before = before
        self.limit = limit
    }
}
