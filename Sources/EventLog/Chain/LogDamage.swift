/// The first thing that is wrong with a log.
public struct LogDamage: Error, Hashable, Sendable {
    /// The session; nothing when the record could not be read that far.
    public var stream: SessionID?
    /// The place at which the log stops being sound, from 1.
    public var sequence: Int64
    /// What is wrong there.
    public var kind: Kind

    /// The kinds of damage.
    public enum Kind: Hashable, Sendable {
        /// The record does not read.
        case unreadable(EventDecodingError)
        /// The bytes are not the canonical form of what they say.
        case notCanonical
        /// The record is not at this place: one is missing, doubled or moved.
        case outOfSequence(found: Int64)
        /// The record is another session's.
        case foreignStream(found: SessionID)
        /// The record doesn't name the hash of the one before.
        case wrongPrevious
        /// The record's content does not give its hash: it was altered.
        case wrongHash
        /// The record is earlier than the one before.
        case timeWentBack
        /// What is stored beside the record (place, type, time) is not what the record says.
        case contradicted(member: String)
        /// The sealed values are not numbered 0, 1, 2 …, or there are more or fewer seals than values.
        case wrongSeals
        /// The record says that text was masked in a member in which none may be, or none is; the member, if it is one of ours.
        case wrongMask(member: String?)
    }

    /// Damage of that kind at that place.
    public init(stream: SessionID?, sequence: Int64, kind: Kind) {
        self.stream = stream
        self.sequence = sequence
        self.kind = kind
    }
}

extension LogDamage: CustomStringConvertible {
    /// What is wrong and where, in words, without the data.
    public var description: String {
        let place = "record \(sequence)" + (stream.map { " of session \($0)" } ?? "")
        return switch kind {
        case .unreadable(let error): "\(place) does not read: \(error)"
        case .notCanonical: "\(place) is not in canonical form"
        case .outOfSequence(let found):
            "\(place) is missing or moved: record \(found) is in its place"
        case .foreignStream(let found): "\(place) belongs to session \(found)"
        case .wrongPrevious: "\(place) does not follow the record before it"
        case .wrongHash: "\(place) was altered: its content does not give its hash"
        case .timeWentBack: "\(place) is earlier than the record before it"
        case .contradicted(let member): "\(place) is contradicted by the \(member) stored beside it"
        case .wrongSeals: "\(place) has seals that don't fit its sealed values"
        case .wrongMask(let member):
            "\(place) claims a mask in \(member ?? "a member") where none may be or none is"
        }
    }
}
