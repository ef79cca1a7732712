/// The proof, record by record, that a whole log was written by somebody with its session's keys.
///
/// Whoever drives a session takes all records through it: a record that nobody with the keys wrote is refused, and so
/// is a log that ends before its session's row says.
public struct LogAuthentication: Sendable {
    /// Where a log ends, as its session's row says.
    public struct End: Sendable {
        /// The place of the last record.
        public var sequence: Int64
        /// The MAC of that place and the hash of the record there.
        public var mac: Digest256?

        /// An end at a place.
        public init(sequence: Int64, mac: Digest256?) {
            self.sequence = sequence
            self.mac = mac
        }
    }

    private let keys: SessionKeys
    private let end: End?
    /// Where the records end that were taken.
    public private(set) var head = StreamHead.empty

    /// A proof before the first record, or behind those that were proved already.
    ///
    /// - Parameters:
    ///   - keys: The session's keys.
    ///   - end: Where the row says that the log ends; nil where there is no row.
    ///   - head: Where the records end that were proved.
    public init(keys: SessionKeys, end: End?, behind head: StreamHead = .empty) {
        self.keys = keys
        self.end = end
        self.head = head
    }

    /// Takes the next record.
    ///
    /// - Returns: Whether somebody with the keys wrote it.
    public mutating func takes(_ record: StoredRecord) -> Bool {
        takes(hash: record.hash, mac: record.mac)
    }

    mutating func takes(hash: Digest256, mac: Digest256?) -> Bool {
        let next = StreamHead(sequence: head.sequence + 1, hash: hash)
        guard mac == keys.mac(of: hash, at: next.sequence) else { return false }
        if let end, end.sequence == next.sequence, let from = keys.authenticFrom,
            next.sequence >= from, end.mac != keys.mac(of: next)
        {
            return false
        }
        head = next
        return true
    }

    /// Whether no record is missing at the end.
    public var isWhole: Bool {
        guard keys.authenticFrom != nil, let end else { return true }
        return head.sequence >= end.sequence
    }
}
