/// Why no wallet request can be made of what the PSP handed over.
///
/// It names the member that is at fault and never quotes what it holds.
public enum WalletError: Error, Hashable, Sendable {
    /// A member is missing, or its value is not at hand.
    case missing(member: String)
    /// A member has a value that the wallet could not use; the reason says what would be right.
    case malformed(member: String, reason: String)
    /// The environment is neither `TEST` nor `PRODUCTION`; none is assumed, since a real payment must not be
    /// attempted with test cards.
    case unknownEnvironment(member: String)

    /// A code that stays what it is.
    public var code: String {
        switch self {
        case .missing: "wallet.missing"
        case .malformed: "wallet.malformed"
        case .unknownEnvironment: "wallet.environment"
        }
    }
}

extension WalletError: CustomStringConvertible {
    /// What is wrong, without quoting it.
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
