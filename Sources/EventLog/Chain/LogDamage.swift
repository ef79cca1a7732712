/// The first defect found in a log.
public struct LogDamage: Error, Hashable, Sendable {
    /// The session; `nil` when too little of the record could be read.
    public var stream: SessionID?
    /// The sequence number at which the log stops being sound, from 1.
    public var sequence: SequenceNumber
    /// The damage.
    public var kind: Kind

    /// The kinds of damage.
    @nonexhaustive
    public enum Kind: Hashable, Sendable {
        /// The record cannot be read.
        case unreadable(EventDecodingError)
        /// The bytes are not the canonical form of their content.
        case notCanonical
        /// Another record was found at this sequence number: one is missing, duplicated or moved.
        case outOfSequence(found: SequenceNumber)
        /// The record belongs to another session.
        case foreignStream(found: SessionID)
        /// The record's previous hash is not the hash of the previous record.
        case wrongPrevious
        /// The record's content does not match its hash: it was altered.
        case wrongHash
        /// The record's time is earlier than that of the previous record.
        case timeWentBack
        /// A value stored beside the record (sequence number, type, time) contradicts the record.
        case contradicted(member: String)
        /// The sealed values are not numbered 0, 1, 2 …, or the number of seals differs from the
        /// number of values.
        case wrongSeals
    }

    /// Creates a description of damage at a sequence number.
    public init(stream: SessionID?, sequence: SequenceNumber, kind: Kind) {
        self.stream = stream
        self.sequence = sequence
        self.kind = kind
    }
}

extension LogDamage: CustomStringConvertible {
    /// A description of the damage and its position, without the data.
    public var description: String {
        let place = "record \(sequence)" + (stream.map { " of session \($0)" } ?? "")
        return switch kind {
        case .unreadable(let error): "\(place) cannot be read: \(error)"
        case .notCanonical: "\(place) is not in canonical form"
        case .outOfSequence(let found):
            "\(place) is missing or moved: record \(found) was found instead"
        case .foreignStream(let found): "\(place) belongs to session \(found)"
        case .wrongPrevious: "\(place) does not contain the hash of the record before it"
        case .wrongHash: "\(place) was altered: its content does not match its hash"
        case .timeWentBack: "\(place) has an earlier time than the record before it"
        case .contradicted(let member): "\(place) contradicts the \(member) stored beside it"
        case .wrongSeals: "\(place) has seals that do not match its sealed values"
        }
    }
}
