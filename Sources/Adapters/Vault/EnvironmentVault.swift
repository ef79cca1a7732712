public import EventLog
internal import SwedbankPay

/// A vault that reads its master keys from an environment variable, as base64 or hexadecimal.
///
/// Several keys are separated by blanks or commas: the first one wraps, and each unwraps what it
/// wrapped.
public struct EnvironmentVault: MasterKeySource {
    /// The default name of the variable.
    public static let variable = "WORKFLOWCTL_MASTER_KEY"

    /// The keys.
    package let vault: MasterKeyVault

    /// Creates a vault with the keys of a variable.
    ///
    /// - Parameters:
    ///   - environment: The environment to read.
    ///   - variable: The variable's name.
    ///   - random: The source of data keys and nonces.
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
                reason: "\(variable) does not contain 32 bytes in base64 or hexadecimal"
            )
        }
        vault = MasterKeyVault(ring: ring, random: random)
    }
}
