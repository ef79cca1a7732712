/// Why an address for returning to an app cannot be created.
///
/// It names the invalid value and never quotes it, since the sender may have chosen it.
@nonexhaustive
public enum ReturnURLError: Error, Hashable, Sendable {
    /// A value is missing.
    case missing(String)
    /// A value is unusable; the reason says what is required.
    case malformed(String, reason: String)
    /// A value is valid, but not permitted.
    case notAllowed(String)

    /// A stable code.
    public var code: String {
        switch self {
        case .missing: "return.missing"
        case .malformed: "return.malformed"
        case .notAllowed: "return.not-allowed"
        }
    }
}

extension ReturnURLError: CustomStringConvertible {
    /// The error, without quoting the value.
    public var description: String {
        switch self {
        case .missing(let name): "the return URL needs \(name), which is missing"
        case .malformed(let name, let reason):
            "\(name) cannot be used in a return URL: \(reason)"
        case .notAllowed(let name): "\(name) is not one that payers may return to"
        }
    }
}
