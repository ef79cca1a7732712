/// Why a page cannot be made of what was given.
///
/// It names the member that is at fault and never quotes what it holds.
public enum PageError: Error, Hashable, Sendable {
    /// A member is missing.
    case missing(member: String)
    /// A member cannot be used; the reason says what would be right.
    case malformed(member: String, reason: String)
    /// More of something than fits.
    case tooMany(member: String, limit: Int)

    /// A code that stays what it is.
    public var code: String {
        switch self {
        case .missing: "page.missing"
        case .malformed: "page.malformed"
        case .tooMany: "page.too-many"
        }
    }
}

extension PageError: CustomStringConvertible {
    /// What is wrong, without quoting it.
    public var description: String {
        switch self {
        case .missing(let member): "a page needs \(member), which is not there"
        case .malformed(let member, let reason): "\(member) cannot be used in a page: \(reason)"
        case .tooMany(let member, let limit): "\(member) has more than \(limit) entries"
        }
    }
}
