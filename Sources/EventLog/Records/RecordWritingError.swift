/// Why an event can't be turned into a record.
@nonexhaustive
public enum RecordWritingError: Error, Hashable, Sendable {
    /// The event's sequence number does not follow the end of the stream.
    case outOfSequence(expected: SequenceNumber, found: SequenceNumber)
    /// The plaintext of a sealed value is not available; the value's number in the record.
    case missingPlaintext(type: String, number: Int)
    /// A number in the event lies outside ±(2^53 - 1).
    case inexactNumber(type: String)
    /// The data of an event of an unknown type is not a canonical JSON object.
    case notCanonical(type: String)
    /// A limit was exceeded; its name.
    case limit(name: String)
    /// A value could not be sealed because the random source returned no usable nonce.
    case sealingFailed
}

extension RecordWritingError: CustomStringConvertible {
    /// A description without the data.
    public var description: String {
        switch self {
        case .outOfSequence(let expected, let found):
            "the stream goes on at \(expected), but the event is for \(found)"
        case .missingPlaintext(let type, let number):
            "the plaintext of sealed value \(number) of \(type) is not at hand"
        case .inexactNumber(let type): "a number of \(type) lies outside ±(2^53 - 1)"
        case .notCanonical(let type): "the data of \(type) is no canonical JSON object"
        case .limit(let name): "the limit \(name) was passed"
        case .sealingFailed: "a value could not be sealed"
        }
    }
}
