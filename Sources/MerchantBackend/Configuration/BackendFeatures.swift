/// What callers may do in addition to creating orders and completing their payment; every feature
/// is off by default.
///
/// - Note: Source: merchant backend, authentication: the feature flags.
public struct BackendFeatures: Hashable, Sendable {
    /// Whether an order may name a stored card of the caller (`paymentToken`).
    public var allowUsePaymentToken = false
    /// Whether the caller's stored cards are listed.
    public var allowGetPayerOwnedPaymentTokens = false
    /// Whether the caller may delete stored cards.
    public var allowDeletePayerOwnedPaymentToken = false
    /// Whether the caller may read an order (`expand`) and query whether it created tokens
    /// (`tokens`).
    public var allowExpandFullResource = false
    /// Whether the caller may change the instrument of an order and abort it (`patch`).
    public var allowPatchResource = false
    /// Whether the caller may charge, without the payer, the token that a paid order of the caller
    /// created (`charges`).
    public var allowChargeStoredTokens = false

    /// Creates features that are all off.
    public init() {}

    /// Reads switches from a configuration file or the environment.
    ///
    /// A switch is on for `true` and off for `false`. Every other word is refused, so that none is
    /// mistaken for on.
    ///
    /// - Parameter settings: The words, keyed by the names of the members.
    /// - Throws: ``BackendConfigurationError`` for an unknown name or another word.
    public init(reading settings: [String: String]) throws(BackendConfigurationError) {
        self.init()
        for (name, word) in settings.sorted(by: { $0.key < $1.key }) {
            guard let member = Self.members[name] else {
                throw .malformed(
                    member: "features",
                    reason: "there is no feature of this name; the features are "
                        + Self.members.keys.sorted().joined(separator: ", ")
                )
            }
            guard word == "true" || word == "false" else {
                throw .malformed(
                    member: "features.\(name)",
                    reason: "it must be true or false"
                )
            }
            self[keyPath: member] = word == "true"
        }
    }

    private static var members: [String: WritableKeyPath<BackendFeatures, Bool>] {
        [
            "allowUsePaymentToken": \.allowUsePaymentToken,
            "allowGetPayerOwnedPaymentTokens": \.allowGetPayerOwnedPaymentTokens,
            "allowDeletePayerOwnedPaymentToken": \.allowDeletePayerOwnedPaymentToken,
            "allowExpandFullResource": \.allowExpandFullResource,
            "allowPatchResource": \.allowPatchResource,
            "allowChargeStoredTokens": \.allowChargeStoredTokens,
        ]
    }
}
