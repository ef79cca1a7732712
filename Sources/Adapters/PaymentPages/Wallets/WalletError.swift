/// Why a wallet request cannot be created from the PSP's configuration.
///
/// It names the invalid member and never quotes its value.
@nonexhaustive
public enum WalletError: Error, Hashable, Sendable {
    /// A member is missing, or its value is unavailable.
    case missing(member: String)
    /// A member's value is unusable for the wallet; the reason says what is required.
    case malformed(member: String, reason: String)
    /// The environment is neither `TEST` nor `PRODUCTION`; there is no default, since a real
    /// payment must not be attempted with test cards.
    case unknownEnvironment(member: String)

    /// A stable code.
    public var code: String {
        switch self {
        case .missing: "wallet.missing"
        case .malformed: "wallet.malformed"
        case .unknownEnvironment: "wallet.environment"
        }
    }
}

extension WalletError: CustomStringConvertible {
    /// The error, without quoting the value.
    public var description: String {
        switch self {
        case .missing(let member): "the wallet's configuration lacks \(member)"
        case .malformed(let member, let reason):
            "\(member) in the wallet's configuration cannot be used: \(reason)"
        case .unknownEnvironment(let member):
            "\(member) in the wallet's configuration is neither TEST nor PRODUCTION"
        }
    }
}
