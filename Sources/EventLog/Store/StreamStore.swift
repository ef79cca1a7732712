/// The logs of a store, one stream per session.
public protocol StreamStore: Sendable {
    /// Appends records of one session, all or none, and returns when they are durable.
    ///
    /// Appends of different sessions that wait at the same time share one transaction.
    ///
    /// - Throws: ``EventStoreError/conflict(stream:expected:actual:)`` when the stream is not at
    ///   the expected version; ``EventStoreError/leaseLost(stream:)`` when the append requires a
    ///   lease that this store no longer holds; and ``EventStoreError/addressTaken(by:)`` when the
    ///   session is new and another session, even one created at nearly the same moment, has its
    ///   summary's address fingerprint. In these cases nothing was written.
    /// - Note: Certainty: on any other error the records may or may not have been written, unless
    ///   the error says so; read the head to find out.
    func append(_ append: StreamAppend) async throws(EventStoreError)

    /// Reads records of a session in order.
    ///
    /// - Parameters:
    ///   - stream: The session.
    ///   - first: The first sequence number to read, from 1.
    ///   - limit: The maximum number of records.
    /// - Returns: The records that exist; empty for an unknown session.
    /// - Throws: ``EventStoreError`` when the store can't be read.
    func read(
        _ stream: SessionID,
        from first: SequenceNumber,
        limit: Int
    ) async throws(EventStoreError) -> [StoredRecord]

    /// The end of a session's log; `nil` for an unknown session.
    func head(of stream: SessionID) async throws(EventStoreError) -> StreamHead?

    /// The wrapped data key of a session; `nil` for an unknown or erased session.
    func wrappedKey(of stream: SessionID) async throws(EventStoreError) -> [UInt8]?

    /// Reads everything needed to load a session, in one operation.
    ///
    /// - Parameters:
    ///   - stream: The session.
    ///   - limit: The maximum number of records.
    /// - Returns: The key, the row and the first records.
    /// - Throws: ``EventStoreError`` when the store can't be read.
    func beginning(
        of stream: SessionID,
        limit: Int
    ) async throws(EventStoreError) -> LogBeginning
}

/// The data needed to start loading a session.
public struct LogBeginning: Sendable {
    /// The wrapped data key; `nil` for an unknown or erased session.
    public var wrappedKey: [UInt8]?
    /// The first records in order, from sequence number 1; empty for an unknown session.
    public var records: [StoredRecord]
    /// The session's row in the projection, not newer than the records; `nil` for an unknown
    /// session.
    public var row: SessionSummary?

    /// Creates the beginning of a log.
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
    /// The last sequence number that the writer has seen; 0 for a new stream.
    public var expectedVersion: SequenceNumber
    /// The records, with the sequence numbers that follow; never empty.
    public var records: [StoredRecord]
    /// The session's row in the projection after these records.
    public var summary: SessionSummary
    /// The wrapped data key, given with the first append of a stream and with the one from which
    /// its records have MACs.
    public var wrappedKey: [UInt8]?
    /// Whether the append requires the session's lease; without the lease nothing is written.
    public var isUnderLease: Bool

    /// Creates an append to a stream.
    public init(
        stream: SessionID,
        expectedVersion: SequenceNumber,
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
