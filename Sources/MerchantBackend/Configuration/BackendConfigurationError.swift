internal import EventLog
internal import SwedbankPay

/// Why a merchant backend can't be configured like this.
@nonexhaustive
public enum BackendConfigurationError: Error, Hashable, Sendable {
    /// A member has an invalid value.
    case malformed(member: String, reason: String)

    /// A stable error code.
    public var code: String {
        switch self {
        case .malformed: "backend.malformed"
        }
    }
}

extension BackendConfigurationError: CustomStringConvertible {
    /// The member and what is wrong with it; never its value.
    public var description: String {
        switch self {
        case .malformed(let member, let reason):
            "the merchant backend cannot be set up: \(member): \(reason)"
        }
    }
}

/// Parses addresses of a configuration strictly.
enum WebAddress {
    /// The path of an address that may be served or called.
    static func path(
        of text: String,
        member: String,
        allowsInsecureLoopback: Bool
    ) throws(BackendConfigurationError) -> String {
        guard let parts = AddressParts(text), let host = parts.host, APIAddress.isPlainHost(host),
            parts.userinfo == nil, parts.query == nil, parts.fragment == nil
        else {
            throw .malformed(
                member: member,
                reason: "it must be an absolute URL without user, query and fragment"
            )
        }
        guard
            parts.scheme == "https"
                || parts.scheme == "http" && allowsInsecureLoopback && APIAddress.isLoopback(host)
        else { throw .malformed(member: member, reason: "it must be an https URL") }
        guard
            parts.path.utf8.allSatisfy({ $0.isUnreserved || $0 == UInt8(ascii: "/") }),
            !parts.path.utf8.contains("//".utf8), !parts.path.utf8.contains("/.".utf8)
        else {
            throw .malformed(
                member: member,
                reason: "its path must consist of letters, digits and single slashes"
            )
        }
        return parts.path
    }
}
