/// Why a page cannot be created from the given values.
///
/// It names the invalid member and never quotes its value.
@nonexhaustive
public enum PageError: Error, Hashable, Sendable {
    /// A member is missing.
    case missing(member: String)
    /// A member is unusable; the reason says what is required.
    case malformed(member: String, reason: String)
    /// A member has too many entries.
    case tooMany(member: String, limit: Int)

    /// A stable code.
    public var code: String {
        switch self {
        case .missing: "page.missing"
        case .malformed: "page.malformed"
        case .tooMany: "page.too-many"
        }
    }
}

extension PageError: CustomStringConvertible {
    /// The error, without quoting the value.
    public var description: String {
        switch self {
        case .missing(let member): "a page needs \(member), which is missing"
        case .malformed(let member, let reason): "\(member) cannot be used in a page: \(reason)"
        case .tooMany(let member, let limit): "\(member) has more than \(limit) entries"
        }
    }
}
