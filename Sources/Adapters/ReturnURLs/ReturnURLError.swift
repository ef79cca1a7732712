/// Why no address could be made that brings a payer back.
///
/// It names what is at fault and never quotes it: whoever sent it may have chosen it.
public enum ReturnURLError: Error, Hashable, Sendable {
    /// Something is missing.
    case missing(String)
    /// Something cannot be used; the reason says what would be right.
    case malformed(String, reason: String)
    /// Something is well-formed, but not among what is allowed.
    case notAllowed(String)

    /// A code that stays what it is.
    public var code: String {
        switch self {
        case .missing: "return.missing"
        case .malformed: "return.malformed"
        case .notAllowed: "return.not-allowed"
        }
    }
}

extension ReturnURLError: CustomStringConvertible {
    /// What is wrong, without quoting it.
    public var description: String {
        switch self {
        case .missing(let name): "the address for coming back needs \(name), which is not there"
        case .malformed(let name, let reason):
            "\(name) cannot be used in an address for coming back: \(reason)"
        case .notAllowed(let name): "\(name) is not among those that payers may come back to"
        }
    }
}
