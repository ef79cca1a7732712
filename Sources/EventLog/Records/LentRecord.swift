/// A record in memory that it does not own, so that it can be checked in place.
///
/// It must not outlive the call that it is passed to.
package struct LentRecord {
    /// The session under which it was found.
    package var stream: SessionID
    /// Its sequence number, as stored beside the record.
    package var sequence: SequenceNumber
    /// The name of the event's type, as stored beside the record.
    package var type: String
    /// When it was recorded, as stored beside the record.
    package var at: Instant
    /// The bytes that are hashed.
    package var canonical: UnsafeBufferPointer<UInt8>
    /// The hash of the previous record.
    package var previous: Digest256
    /// The record's hash.
    package var hash: Digest256
    /// The number of seals stored beside it.
    package var sealCount: Int

    /// Creates a record with these members.
    package init(
        stream: SessionID,
        sequence: SequenceNumber,
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

    /// Creates a view of a stored record whose bytes are borrowed.
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
