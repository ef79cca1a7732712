/// What callers may do beyond creating orders and seeing them through; everything is off until it is switched on.
///
/// - Note: Source: merchant backend, authentication: the feature flags.
public struct BackendFeatures: Hashable, Sendable {
    /// Whether an order may name a stored card of the caller's (`paymentToken`).
    public var allowUsePaymentToken = false
    /// Whether the caller's stored cards are listed.
    public var allowGetPayerOwnedPaymentTokens = false
    /// Whether the caller may delete stored cards.
    public var allowDeletePayerOwnedPaymentToken = false
    /// Whether the caller may read an order (`expand`), and ask whether it produced tokens (`tokens`).
    public var allowExpandFullResource = false
    /// Whether the caller may change the instrument of an order and abort it (`patch`).
    public var allowPatchResource = false
    /// Whether the caller may charge, without the payer, the token that a paid order of the caller's left (`charges`).
    public var allowChargeStoredTokens = false

    /// Everything off.
    public init() {}

    /// Reads switches as a configuration file or an environment has them.
    ///
    /// A switch is on for `true` and off for `false`; every other word is refused, so that none is taken for on.
    ///
    /// - Parameter settings: Words by the names of the members.
    /// - Throws: ``BackendConfigurationError`` for an unknown name or another word.
    public init(reading settings: [String: String]) throws(BackendConfigurationError) {
        self.init()
        for (name, word) in settings.sorted(by: { $0.key < $1.key }) {
            guard let member = Self.members[name] else {
                throw .malformed(
                    member: "features",
                    reason: "there is none of that name; there are "
                        + Self.members.keys.sorted().joined(separator: ", ")
                )
            }
            guard word == "true" || word == "false" else {
                throw .malformed(
                    member: "features.\(name)",
                    reason: "it has to be true or false"
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
