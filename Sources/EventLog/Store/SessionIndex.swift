/// The index of sessions: one row for each, written with its appends.
public protocol SessionIndex: Sendable {
    /// The matching rows, newest first.
    ///
    /// They are as of now: all that was appended before is in them. A persistent store keeps them
    /// in a read model, which it brings up to date first if it may write
    /// (``FactsStore/catchUp()``).
    func sessions(matching query: SessionQuery) async throws(EventStoreError) -> [SessionSummary]

    /// The row of a session as its last append wrote it, or `nil` when there is none.
    func row(of session: SessionID) async throws(EventStoreError) -> SessionSummary?

    /// The sessions with something due, the longest overdue first.
    ///
    /// - Parameters:
    ///   - instant: The time by which something is due.
    ///   - limit: The maximum number of sessions.
    /// - Returns: The sessions.
    /// - Throws: ``EventStoreError`` when the store can't be read.
    func sessionsDue(
        by instant: Instant,
        limit: Int
    ) async throws(EventStoreError) -> [SessionID]
}

extension SessionIndex {
    /// The session with an address; the newest one, if there are several.
    ///
    /// Imported sessions have no fingerprint until they are driven here, so they are not found.
    ///
    /// - Parameter fingerprint: The fingerprint of the address, as the store's vault computes it.
    /// - Returns: The session, or `nil` when there is none.
    /// - Throws: ``EventStoreError`` when the store can't be read.
    public func session(
        ofAddress fingerprint: Digest256
    ) async throws(EventStoreError) -> SessionID? {
        try await sessions(matching: SessionQuery(addressFingerprint: fingerprint, limit: 1))
            .first?.session
    }

    /// The row of a session, or `nil` when there is none.
    ///
    /// Rows are returned newest first by identifier, so the first one before the next identifier is
    /// the session's own.
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
    /// The phase, as the workflow names it; ``ended`` when the session is over.
    public var phase: String
    /// The outcome, as the workflow names it.
    public var outcome: String?
    /// Whether nothing is pending on the engine's side.
    public var isSettled: Bool
    /// The sequence number of the last event.
    public var lastSequence: SequenceNumber
    /// When it was opened.
    public var openedAt: Instant
    /// When its last event was recorded.
    public var lastAt: Instant
    /// The host application's own reference.
    public var reference: String?
    /// The label under which the workflow files the session.
    public var label: String?
    /// The kind or type of the current problem.
    public var problem: String?
    /// When something is due next; `nil` when only the client can proceed.
    public var dueAt: Instant?
    /// HMAC of the session's address under a key of the store, used to find the session with an
    /// address.
    public var addressFingerprint: Digest256?
    /// The MAC of the log's end under the session's keys, which a log whose end was cut off does
    /// not match.
    public var headMAC: Digest256?
    /// The origin of the log; written with a session's first record and never changed.
    public var origin: SessionOrigin
    /// The facts for lists and sums; `nil` in a row with facts of another version, and in workflows
    /// without facts.
    public var facts: SessionFacts?

    /// The phase of a session that is over, in every workflow.
    public static let ended = "ended"

    /// Whether the session is over.
    public var isOver: Bool { phase == Self.ended }

    /// Whether the session counts as written elsewhere, so that it is not driven.
    ///
    /// The mark alone can be set by anybody who writes the store. A MAC of the log's end is only in
    /// the row of a session that was opened here, and is checked before the session is driven.
    public var isForeign: Bool { origin == .imported && headMAC == nil }

    /// How much later than the log says something may be due: the exact time depends on limits that
    /// are configured.
    public static let dueTolerance = Duration.seconds(30 * 86_400)

    /// Whether the time when something is due can follow from the session's log.
    ///
    /// A row without it, or with one in the distant future, makes engines forget the session.
    ///
    /// - Parameter derived: The time that this build derives from the log; `nil` when only the
    ///   client can proceed.
    /// - Returns: Whether both exist or neither does, and the row's is not much later.
    public func agreesOnDue(with derived: Instant?) -> Bool {
        switch (dueAt, derived) {
        case (nil, nil): true
        case (let due?, let derived?): due <= derived + Self.dueTolerance
        case (nil, _?), (_?, nil): false
        }
    }

    /// Creates a row with these members.
    ///
    /// In texts from outside, U+FFFD replaces NUL, which not every store can keep. The reference is
    /// in Unicode's composed form, in which it is searched for.
    public init(
        session: SessionID,
        phase: String,
        outcome: String? = nil,
        isSettled: Bool,
        lastSequence: SequenceNumber,
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
        self.reference = reference?.withoutNUL.composed
        self.label = label?.withoutNUL
        self.problem = problem?.withoutNUL
        self.dueAt = dueAt
        self.addressFingerprint = addressFingerprint
        self.headMAC = headMAC
        self.origin = origin
        self.facts = facts
    }
}

/// The origin of a session's log.
public enum SessionOrigin: String, Hashable, Sendable, CaseIterable {
    /// An engine of this store opened it.
    case own
    /// It was written elsewhere and imported to be read: it is never driven and does not count as
    /// our own.
    case imported
}

/// Selects sessions for a list; all given conditions must hold.
public struct SessionQuery: Hashable, Sendable {
    /// Only sessions in the phase with that name.
    public var phase: String?
    /// Only sessions that ended with the outcome of that name.
    public var outcome: String?
    /// Whether the session has not ended: `true` for open sessions, `false` for ended ones.
    public var isOpen: Bool?
    /// Only sessions with this label.
    public var label: String?
    /// Only sessions with exactly this current problem.
    public var problem: String?
    /// Whether the session has a current problem: `true` for those, `false` for those without.
    public var hasProblem: Bool?
    /// Only sessions with these values of columns of the read model; never a row without facts.
    public var facts: [String: ReadModel.Value]
    /// Whether the row has facts of this build: `false` for rows whose facts must be derived again
    /// from their logs.
    public var hasFacts: Bool?
    /// Only sessions opened at this time or later.
    public var since: Instant?
    /// Only sessions opened before this time.
    public var until: Instant?
    /// Only sessions with exactly this reference.
    public var reference: String?
    /// Only sessions whose reference has this prefix.
    public var referencePrefix: String?
    /// Only sessions whose identifier has this suffix, in lower case.
    public var ending: String?
    /// Only sessions whose address has this fingerprint.
    public var addressFingerprint: Digest256?
    /// Only open sessions in which something has been due since this time or earlier.
    public var overdueSince: Instant?
    /// Only open sessions in which, according to their rows, nothing is due until this time.
    ///
    /// Engines do not find them by themselves. Rows that are marked as imported are included if a
    /// MAC says that the session was opened here.
    public var undueUntil: Instant?
    /// Only sessions whose last event was recorded after this time.
    public var lastAfter: Instant?
    /// Only sessions with this origin; `nil` for all.
    public var origin: SessionOrigin?
    /// Only sessions older than this one, for paging.
    public var before: SessionID?
    /// The maximum number of rows.
    public var limit: Int

    /// Whether engines ask for what they go on with: by an address, or by what is due.
    package var isOfEngines: Bool {
        (addressFingerprint != nil || overdueSince != nil) && !isByFacts && hasFacts == nil
    }

    /// Whether a row without facts cannot match.
    package var isByFacts: Bool { !facts.isEmpty }

    /// The most rows that one query returns.
    public static let defaultLimit = 10_000

    /// Creates a query with these conditions.
    public init(
        phase: String? = nil,
        outcome: String? = nil,
        isOpen: Bool? = nil,
        label: String? = nil,
        problem: String? = nil,
        hasProblem: Bool? = nil,
        facts: [String: ReadModel.Value] = [:],
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
        self.facts = facts
        self.hasFacts = hasFacts
        self.since = since
        self.until = until
        self.reference = reference?.composed
        self.referencePrefix = referencePrefix?.composed
        self.ending = ending
        self.addressFingerprint = addressFingerprint
        self.overdueSince = overdueSince
        self.origin = origin
        self.before = before
        self.limit = limit
    }
}
