/// The logs of a store, one stream a session.
public protocol StreamStore: Sendable {
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

    /// The end of a session's log; nil for an unknown session.
    func head(of stream: SessionID) async throws(EventStoreError) -> StreamHead?

    /// The wrapped data key of a session; nil for an unknown or erased session.
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
}

/// What bringing a session into memory begins with.
public struct LogBeginning: Sendable {
    /// The wrapped data key; nil for an unknown or erased session.
    public var wrappedKey: [UInt8]?
    /// The first records in order, from place 1; none for an unknown session.
    public var records: [StoredRecord]
    /// The session's row in the projection, not younger than the records; nil for an unknown session.
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
