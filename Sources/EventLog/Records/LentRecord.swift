/// A record that stands in somebody else's memory, to be checked where it stands.
///
/// It must not outlive the call that it is lent to. Nothing is masked in it, as in all that a store holds.
package struct LentRecord {
    /// The session that it was found with.
    package var stream: SessionID
    /// Its place in the stream, as it stands beside the record.
    package var sequence: Int64
    /// The name of the event's type, as it stands beside the record.
    package var type: String
    /// When it was recorded, as it stands beside the record.
    package var at: Instant
    /// The bytes that are hashed.
    package var canonical: UnsafeBufferPointer<UInt8>
    /// The hash of the record before.
    package var previous: Digest256
    /// The record's hash.
    package var hash: Digest256
    /// How many seals stand beside it.
    package var sealCount: Int

    /// A record with these members.
    package init(
        stream: SessionID,
        sequence: Int64,
        type: String,
        at: Instant,
        canonical: UnsafeBufferPointer<UInt8>,
        previous: Digest256,
        hash: Digest256,
        sealCount: Int
    ) {
        self.stream = stream
        self.sequence = sequence
        self.type = type
        self.at = at
        self.canonical = canonical
        self.previous = previous
        self.hash = hash
        self.sealCount = sealCount
    }

    /// A stored record, of which the bytes are lent.
    init(_ record: StoredRecord, _ canonical: UnsafeBufferPointer<UInt8>) {
        self.init(
            stream: record.stream,
            sequence: record.sequence,
            type: record.type,
            at: record.at,
            canonical: canonical,
            previous: record.previous,
            hash: record.hash,
            sealCount: record.seals.count
        )
    }
}
