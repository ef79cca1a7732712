/// Where session logs are kept: the port that every store implements.
///
/// - Note: Isolation: any; a store serialises its own work. It never blocks the caller's thread.
public protocol EventStore: Sendable {
    /// Appends records of one session, all or none, and returns when they are durable.
    ///
    /// Appends of different sessions that wait at the same time share one transaction.
    ///
    /// - Throws: ``EventStoreError/conflict(stream:expected:actual:)`` when the stream is not at the expected
    ///   version, ``EventStoreError/leaseLost(stream:)`` when the append relies on a lease that this store does not hold
    ///   any more, and ``EventStoreError/addressTaken(by:)`` when it is new and its summary's address fingerprint is
    ///   that of another session, whoever was first by however little; then nothing was written.
    /// - Note: Certainty: on any other error than these the records may or may not have been written, unless
    ///   the error says so; read the head to find out.
    func append(_ append: StreamAppend) async throws(EventStoreError)

    /// Reads records of a session in order.
    ///
    /// - Parameters:
    ///   - stream: The session.
    ///   - first: The first place wanted, from 1.
    ///   - limit: How many records at the most.
    /// - Returns: The records that there are; none for an unknown session.
    func read(
        _ stream: SessionID,
        from first: Int64,
        limit: Int
    ) async throws(EventStoreError) -> [StoredRecord]

    /// The end of a session's log; nothing for an unknown session.
    func head(of stream: SessionID) async throws(EventStoreError) -> StreamHead?

    /// The wrapped data key of a session; nothing for an unknown or erased session.
    func wrappedKey(of stream: SessionID) async throws(EventStoreError) -> [UInt8]?

    /// Reads at once what bringing a session into memory needs.
    ///
    /// - Parameters:
    ///   - stream: The session.
    ///   - limit: How many records at the most.
    func beginning(
        of stream: SessionID,
        limit: Int
    ) async throws(EventStoreError) -> LogBeginning

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

    /// A number that changes when any process has appended to the store: a cheap way to look for news.
    func changeCounter() async throws(EventStoreError) -> Int64

    /// What was appended after a place in the store's order over all sessions, so that a process with many sessions need
    /// not ask for each of them.
    ///
    /// - Parameters:
    ///   - position: The place, as an earlier answer named it; nothing asks only for the newest one.
    ///   - limit: How many records at the most.
    /// - Returns: Nothing when the store has no such order: then each session's head is asked for.
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

    /// Refuses a store that may be an earlier state, or a copy, of the one that lives: asked before a session is begun or read to
    /// be driven, and cheap when it was answered before.
    ///
    /// - Throws: ``EventStoreError/notAdopted(reason:)``, and what looking fails with.
    func confirmLiving() async throws(EventStoreError)

    /// Takes the sole right to run a session's effects, until released or until this process ends.
    ///
    /// A store of several machines can't see a process end: there the right also ends when the store has not heard of
    /// the process for a while, and each time that it changes hands it has another token, which goes with every append
    /// that relies on it.
    ///
    /// - Returns: False when another engine holds it.
    func acquireLease(on stream: SessionID) async throws(EventStoreError) -> Bool

    /// Whether the right to run a session's effects is still ours, as far as can be told without asking anybody.
    ///
    /// To be looked at right before acting: a process that stood still may have lost it without hearing of it.
    func holdsLease(on stream: SessionID) -> Bool

    /// Gives back the right to run a session's effects.
    func releaseLease(on stream: SessionID) async

    /// Gives back the right to run the effects of many sessions, those included that were not held.
    func releaseLeases(on streams: [SessionID]) async

    /// How many of the sessions that are held here other engines should have, so that each has its share.
    ///
    /// Whoever asks says with it that it takes up sessions that something is due for.
    ///
    /// - Parameter instant: What is due at this time or before, and held by nobody, is everybody's to take.
    func surplusLeases(dueBy instant: Instant) async throws(EventStoreError) -> Int

    /// Gives the right to run the effects of sessions to engines that have fewer; nothing of them may be under way.
    func handOverLeases(on streams: [SessionID]) async

    /// Writes out what is pending and closes; every later call fails with ``EventStoreError/closed``.
    func close() async
}

extension EventStore {
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

    /// Reads the key, the row and the records one after the other, for stores that can't read them at once.
    public func beginning(
        of stream: SessionID,
        limit: Int
    ) async throws(EventStoreError) -> LogBeginning {
        // The row first: what is appended in between is in the records then, not in the row.
        let (wrapped, row) = (try await wrappedKey(of: stream), try await row(of: stream))
        return LogBeginning(
            wrappedKey: wrapped,
            row: row,
            records: try await read(stream, from: 1, limit: limit)
        )
    }
}

extension EventStore {
    /// Nothing: the store ends with the process.
    public func confirmLiving() async throws(EventStoreError) {}

    /// Yes: what was taken lasts until it is given back.
    public func holdsLease(on stream: SessionID) -> Bool { true }

    /// One after the other.
    public func releaseLeases(on streams: [SessionID]) async {
        for stream in streams { await releaseLease(on: stream) }
    }

    /// None: the engines of one machine share it anyway.
    public func surplusLeases(dueBy instant: Instant) async throws(EventStoreError) -> Int { 0 }

    /// Gives them back, for whoever comes first.
    public func handOverLeases(on streams: [SessionID]) async {
        await releaseLeases(on: streams)
    }

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

/// What bringing a session into memory begins with.
public struct LogBeginning: Sendable {
    /// The wrapped data key; nothing for an unknown or erased session.
    public var wrappedKey: [UInt8]?
    /// The first records in order, from place 1; none for an unknown session.
    public var records: [StoredRecord]
    /// The session's row in the projection, not younger than the records; nothing for an unknown session.
    public var row: SessionSummary?

    /// The beginning of a log.
    public init(wrappedKey: [UInt8]?, row: SessionSummary? = nil, records: [StoredRecord]) {
        self.wrappedKey = wrappedKey
        self.row = row
        self.records = records
    }
}

/// Records to append to one stream.
public struct StreamAppend: Sendable {
    /// The session.
    public var stream: SessionID
    /// The last place that the writer has seen; 0 for a new stream.
    public var expectedVersion: Int64
    /// The records, at the places that follow; never empty.
    public var records: [StoredRecord]
    /// The session's row in the projection, as it is after these records.
    public var summary: SessionSummary
    /// The wrapped data key: with the first append of a stream, and with the one from which on its records have MACs.
    public var wrappedKey: [UInt8]?
    /// Whether it relies on the right to run the session's effects: without it nothing is written.
    public var isUnderLease: Bool

    /// An append to a stream.
    public init(
        stream: SessionID,
        expectedVersion: Int64,
        records: [StoredRecord],
        summary: SessionSummary,
        wrappedKey: [UInt8]? = nil,
        isUnderLease: Bool = false
    ) {
        self.stream = stream
        self.expectedVersion = expectedVersion
        self.records = records
        self.summary = summary
        self.wrappedKey = wrappedKey
        self.isUnderLease = isUnderLease
    }
}
