/// A record as it is stored: the canonical bytes, their links in the hash chain, and the seals
/// beside them.
public struct StoredRecord: Hashable, Sendable {
    /// The session.
    public var stream: SessionID
    /// The record's sequence number, from 1.
    public var sequence: SequenceNumber
    /// The name of the event's type, repeated from the record so that a store can filter by it.
    public var type: String
    /// When it was recorded, repeated from the record.
    public var at: Instant
    /// The canonical bytes (RFC 8785), which are hashed.
    public var canonical: [UInt8]
    /// The hash of the previous record; zero for the first.
    public var previous: Digest256
    /// SHA-256 over the previous hash and the canonical bytes.
    public var hash: Digest256
    /// HMAC-SHA-256 of the hash under a key of the session, which proves that a key holder wrote
    /// the record.
    ///
    /// It is `nil` only in records that were written after the session's key was destroyed.
    public var mac: Digest256?
    /// The sealed values as nonce, ciphertext and tag; empty after redaction.
    public var seals: [[UInt8]]

    /// Creates a record with these members.
    public init(
        stream: SessionID,
        sequence: SequenceNumber,
        type: String,
        at: Instant,
        canonical: [UInt8],
        previous: Digest256,
        hash: Digest256,
        mac: Digest256? = nil,
        seals: [[UInt8]]
    ) {
        self.stream = stream
        self.sequence = sequence
        self.type = type
        self.at = at
        self.canonical = canonical
        self.previous = previous
        self.hash = hash
        self.mac = mac
        self.seals = seals
    }

    /// Whether its bytes, and the hash of the record before, have its hash.
    public var hasItsHash: Bool { HashChain.hash(previous, canonical) == hash }
}

/// A record and its log position.
public struct PositionedRecord: Hashable, Sendable {
    /// The log position after this record: advances with each record of any session, in commit
    /// order.
    public var cursor: LogCursor
    /// The record.
    public var record: StoredRecord

    /// Creates a record with a log position.
    public init(cursor: LogCursor, record: StoredRecord) {
        self.cursor = cursor
        self.record = record
    }
}

/// The end of a stream.
public struct StreamHead: Hashable, Sendable {
    /// The last record's sequence number; 0 for a stream without records.
    public var sequence: SequenceNumber
    /// The last record's hash; zero for a stream without records.
    public var hash: Digest256

    /// Creates the end of a stream.
    public init(sequence: SequenceNumber, hash: Digest256) {
        self.sequence = sequence
        self.hash = hash
    }

    /// The end of a stream without records.
    public static let empty = StreamHead(sequence: 0, hash: .zero)
}
