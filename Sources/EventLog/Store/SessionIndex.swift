/// The index of sessions: a row for each, written with its appends.
public protocol SessionIndex: Sendable {
    /// The rows of the projection that fit, newest first.
    func sessions(matching query: SessionQuery) async throws(EventStoreError) -> [SessionSummary]

    /// The sessions with something due, the longest overdue first.
    ///
    /// - Parameters:
    ///   - instant: Due at this time or before.
    ///   - limit: How many at the most.
    func sessionsDue(
        by instant: Instant,
        limit: Int
    ) async throws(EventStoreError) -> [SessionID]
}

extension SessionIndex {
    /// The session that has an address; the newest, should an older build have made several.
    ///
    /// Sessions that were imported have no fingerprint until they are driven here: they are not found.
    ///
    /// - Parameter fingerprint: Of the address, as the store's vault makes it.
    public func session(
        ofAddress fingerprint: Digest256
    ) async throws(EventStoreError) -> SessionID? {
        try await sessions(matching: SessionQuery(addressFingerprint: fingerprint, limit: 1))
            .first?.session
    }

    /// The row of a session: rows come newest first by identity, so the first before the next identity is its own.
    public func row(of session: SessionID) async throws(EventStoreError) -> SessionSummary? {
        var query = SessionQuery(limit: 1)
        query.before = SessionID(high: session.high, low: session.low &+ 1)
        return try await sessions(matching: query).first { $0.session == session }
    }
}

/// A session's row in the projection: what lists and searches need, derived from its events.
public struct SessionSummary: Hashable, Sendable {
    /// The session.
    public var session: SessionID
    /// Where it stands, in the workflow's own word; ``ended`` when it is over.
    public var phase: String
    /// How it ended, in the workflow's own word.
    public var outcome: String?
    /// Whether nothing is outstanding on the engine's side.
    public var isSettled: Bool
    /// The last event's place.
    public var lastSequence: Int64
    /// When it was opened.
    public var openedAt: Instant
    /// When its last event was recorded.
    public var lastAt: Instant
    /// The host's own reference.
    public var reference: String?
    /// What the workflow files the session under.
    public var label: String?
    /// The kind or type of a standing problem.
    public var problem: String?
    /// When something is due next; nil when only the client can go on.
    public var dueAt: Instant?
    /// HMAC of the session's address under a key of the store, to find the session of an address.
    public var addressFingerprint: Digest256?
    /// The MAC of where the log ends, under the session's keys: a log whose end was cut off does not have it.
    public var headMAC: Digest256?
    /// Where the log comes from; written with a session's first record, and never changed.
    public var origin: SessionOrigin
    /// What lists and sums need of it; nil in a row of an earlier build, and where the workflow has none.
    public var facts: SessionFacts?

    /// The phase of a session that is over, in all workflows.
    public static let ended = "ended"

    /// Whether the session is over.
    public var isOver: Bool { phase == Self.ended }

    /// A row with these members.
    public init(
        session: SessionID,
        phase: String,
        outcome: String? = nil,
        isSettled: Bool,
        lastSequence: Int64,
        openedAt: Instant,
        lastAt: Instant,
        reference: String? = nil,
        label: String? = nil,
        problem: String? = nil,
        dueAt: Instant? = nil,
        addressFingerprint: Digest256? = nil,
        headMAC: Digest256? = nil,
        origin: SessionOrigin = .own,
        facts: SessionFacts? = nil
    ) {
        self.session = session
        self.phase = phase
        self.outcome = outcome
        self.isSettled = isSettled
        self.lastSequence = lastSequence
        self.openedAt = openedAt
        self.lastAt = lastAt
        self.reference = reference
        self.label = label
        self.problem = problem
        self.dueAt = dueAt
        self.addressFingerprint = addressFingerprint
        self.headMAC = headMAC
        self.origin = origin
        self.facts = facts
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
    /// In the phase of that name.
    public var phase: String?
    /// Ended in the way of that name.
    public var outcome: String?
    /// Whether it has not ended: `true` for those, `false` for those that have.
    public var isOpen: Bool?
    /// Filed under this.
    public var label: String?
    /// With exactly this standing problem.
    public var problem: String?
    /// Whether it has a standing problem: `true` for those, `false` for those without.
    public var hasProblem: Bool?
    /// Whose money stands like this; never a row without facts.
    public var money: String?
    /// Of this host; never a row without facts.
    public var host: String?
    /// Whose move it is; never a row without facts.
    public var turn: String?
    /// Whether the row has facts of this build: `false` for those that have to be derived again from their logs.
    public var hasFacts: Bool?
    /// Opened at this time or later.
    public var since: Instant?
    /// Opened before this time.
    public var until: Instant?
    /// With exactly this reference.
    public var reference: String?
    /// With a reference that begins like that.
    public var referencePrefix: String?
    /// Whose identity ends like that, in lower case.
    public var ending: String?
    /// Of the session address with this fingerprint.
    public var addressFingerprint: Digest256?
    /// Not ended, and something has been due since this time or earlier.
    public var overdueSince: Instant?
    /// Whose log comes from there; nil for all.
    public var origin: SessionOrigin?
    /// Only sessions older than this one, for reading on.
    public var before: SessionID?
    /// How many at the most.
    public var limit: Int

    /// The most rows that one query returns.
    public static let defaultLimit = 10_000

    /// A query with these conditions.
    public init(
        phase: String? = nil,
        outcome: String? = nil,
        isOpen: Bool? = nil,
        label: String? = nil,
        problem: String? = nil,
        hasProblem: Bool? = nil,
        money: String? = nil,
        host: String? = nil,
        turn: String? = nil,
        hasFacts: Bool? = nil,
        since: Instant? = nil,
        until: Instant? = nil,
        reference: String? = nil,
        referencePrefix: String? = nil,
        ending: String? = nil,
        addressFingerprint: Digest256? = nil,
        overdueSince: Instant? = nil,
        origin: SessionOrigin? = nil,
        before: SessionID? = nil,
        limit: Int = SessionQuery.defaultLimit
    ) {
        self.phase = phase
        self.outcome = outcome
        self.isOpen = isOpen
        self.label = label
        self.problem = problem
        self.hasProblem = hasProblem
        self.money = money
        self.host = host
        self.turn = turn
        self.hasFacts = hasFacts
        self.since = since
        self.until = until
        self.reference = reference
        self.referencePrefix = referencePrefix
        self.ending = ending
        self.addressFingerprint = addressFingerprint
        self.overdueSince = overdueSince
        self.origin = origin
        self.before = before
        self.limit = limit
    }
}
