public import EventLog
internal import SwedbankPay

/// A vault whose master keys stand in an environment variable, as base64 or as hexadecimal digits.
///
/// Several keys have blanks or commas between them: the first one wraps, each of them opens what it wrapped.
public struct EnvironmentVault: MasterKeySource {
    /// The variable that is read unless another one is named.
    public static let variable = "WORKFLOWCTL_MASTER_KEY"

    /// The keys.
    package let vault: MasterKeyVault

    /// A vault with the keys in a variable.
    ///
    /// - Parameters:
    ///   - environment: The environment to look in.
    ///   - variable: The variable's name.
    ///   - random: Where data keys and nonces come from.
    /// - Throws: ``KeyVaultError/missing(reason:)`` when the variable is not set or empty,
    ///   ``KeyVaultError/malformed(reason:)`` when it holds no key.
    public init(
        environment: [String: String],
        variable: String = EnvironmentVault.variable,
        random: any RandomSource = SystemRandom()
    ) throws(KeyVaultError) {
        guard let text = environment[variable], !text.isEmpty else {
            throw .missing(reason: "the variable \(variable) is not set")
        }
        guard let ring = MasterKeyRing(text: text) else {
            throw .malformed(
                reason: "\(variable) holds neither base64 nor hexadecimal digits of 32 bytes"
            )
        }
        vault = MasterKeyVault(ring: ring, random: random)
    }
}
