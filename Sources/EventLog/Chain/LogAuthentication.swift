/// Proves, record by record, that a whole log was written by a holder of its session's keys.
///
/// The engine checks every record of a session in this way before it drives the session. A record
/// that was not written by a key holder is rejected, and so is a log that ends before the end that
/// its session's row states.
public struct LogAuthentication: Sendable {
    /// The end of a log, according to its session's row.
    public struct End: Sendable {
        /// The sequence number of the last record.
        public var sequence: SequenceNumber
        /// The MAC of that sequence number and the hash of the record there.
        public var mac: Digest256?

        /// Creates an end at a sequence number.
        public init(sequence: SequenceNumber, mac: Digest256?) {
            self.sequence = sequence
            self.mac = mac
        }
    }

    private let keys: SessionKeys
    private let end: End?
    /// Whether the record at the end that the row states was accepted, with the MAC of that end.
    private var hasMetEnd = false
    /// The last record that was accepted.
    public private(set) var head = StreamHead.empty

    /// Creates a proof that starts before the first record, or after records that have already been
    /// proved.
    ///
    /// - Parameters:
    ///   - keys: The session's keys.
    ///   - end: Where the log ends according to the row; `nil` when there is no row, and then no
    ///     log is whole.
    ///   - head: The last record that has already been proved.
    public init(keys: SessionKeys, end: End?, behind head: StreamHead = .empty) {
        self.keys = keys
        self.end = end
        self.head = head
    }

    /// Checks the next record: its bytes, its link to the record before, and its MAC.
    ///
    /// - Returns: Whether a holder of the keys wrote it.
    public mutating func accepts(_ record: StoredRecord) -> Bool {
        record.previous == head.hash && record.hasItsHash
            && accepts(hash: record.hash, mac: record.mac)
    }

    mutating func accepts(hash: Digest256, mac: Digest256?) -> Bool {
        let next = StreamHead(sequence: head.sequence + 1, hash: hash)
        guard mac == keys.mac(of: hash) else { return false }
        if let end, end.sequence == next.sequence {
            guard end.mac == keys.mac(of: next) else { return false }
            hasMetEnd = true
        }
        head = next
        return true
    }

    /// Returns the sequence number of the first record that no key holder wrote; `nil` when the
    /// whole log is authentic.
    func forgery(in log: [StoredRecord]) -> SequenceNumber? {
        var proof = self
        for record in log where !proof.accepts(record) { return proof.head.sequence.next }
        return proof.isWhole ? nil : proof.head.sequence.next
    }

    /// Whether no record is missing at the end.
    ///
    /// A row that states an earlier end, or none, proves nothing: the end must have been met, and
    /// the MAC of that end must be right.
    public var isWhole: Bool { hasMetEnd }
}
