/// Why bytes can't be read as a record.
@nonexhaustive
public enum EventDecodingError: Error, Hashable, Sendable {
    /// The bytes are not JSON in UTF-8; the offset, if it is known.
    case malformed(offset: Int?)
    /// The bytes may be JSON, but not in canonical form.
    case notCanonical(offset: Int)
    /// The bytes are canonical JSON, but a value has the wrong type.
    case unexpectedForm(offset: Int)
    /// A required member is missing.
    case missing(member: String)
    /// A value is none of those that this build knows.
    case unknownValue(String)
    /// A number is not whole or lies outside ±(2^53 - 1).
    case number
    /// An object has a name twice.
    case duplicateMember
    /// A limit was exceeded; its name.
    case limit(name: String)
    /// No upcaster leads from this older form to the current one.
    case noUpcaster(type: String, version: Int)
}

extension EventDecodingError: CustomStringConvertible {
    /// A description without the data.
    public var description: String {
        switch self {
        case .malformed(let offset):
            "it is not UTF-8 JSON" + (offset.map { " (at byte \($0))" } ?? "")
        case .notCanonical(let offset): "it is not in canonical form (at byte \(offset))"
        case .unexpectedForm(let offset): "a value has an unexpected type (at byte \(offset))"
        case .missing(let member): "the member \(member) is missing"
        case .unknownValue(let type): "\(type) has a value that this build does not know"
        case .number: "a number is not whole or lies outside ±(2^53 - 1)"
        case .duplicateMember: "an object has the same member twice"
        case .limit(let name): "the limit \(name) was passed"
        case .noUpcaster(let type, let version):
            "version \(version) of \(type) cannot be converted to the current version"
        }
    }
}
