/// A record as it is stored: the canonical bytes, their place in the chain, and the seals beside them.
public struct StoredRecord: Hashable, Sendable {
    /// The session.
    public var stream: SessionID
    /// The record's place in the stream, from 1.
    public var sequence: Int64
    /// The name of the event's type, repeated from the record so that a store can filter by it.
    public var type: String
    /// When it was recorded, repeated from the record.
    public var at: Instant
    /// The canonical bytes (RFC 8785): what is hashed.
    public var canonical: [UInt8]
    /// The hash of the record before; zero for the first.
    public var previous: Digest256
    /// SHA-256 over the previous hash and the canonical bytes.
    public var hash: Digest256
    /// HMAC-SHA-256 of the hash under a key of the session: that somebody with its keys wrote the record; nothing in records
    /// of earlier builds, and of those who had no keys.
    public var mac: Digest256?
    /// The sealed values, as nonce, ciphertext and tag; empty after redaction.
    public var seals: [[UInt8]]
    /// The members whose text was masked by redaction, in order; none in a store.
    ///
    /// Where there are some, the hash is that of the record as it was before: it can't be computed any more.
    public var masked: [String]

    /// A record with these members.
    public init(
        stream: SessionID,
        sequence: Int64,
        type: String,
        at: Instant,
        canonical: [UInt8],
        previous: Digest256,
        hash: Digest256,
        mac: Digest256? = nil,
        seals: [[UInt8]],
        masked: [String] = []
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
        self.masked = masked
    }

    /// Whether text was masked in it.
    public var isMasked: Bool { !masked.isEmpty }
}

/// A record and its place in the store.
public struct PositionedRecord: Hashable, Sendable {
    /// The place over all sessions: grows with each record, in the order of the commits; may have gaps.
    public var position: Int64
    /// The record.
    public var record: StoredRecord

    /// A record at a place.
    public init(position: Int64, record: StoredRecord) {
        self.position = position
        self.record = record
    }
}

/// Where a stream ends.
public struct StreamHead: Hashable, Sendable {
    /// The last record's place; 0 for a stream without records.
    public var sequence: Int64
    /// The last record's hash; zero for a stream without records.
    public var hash: Digest256

    /// The end of a stream.
    public init(sequence: Int64, hash: Digest256) {
        self.sequence = sequence
        self.hash = hash
    }

    /// Where a stream begins.
    public static let empty = StreamHead(sequence: 0, hash: .zero)
}
