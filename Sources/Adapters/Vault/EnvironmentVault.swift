public import Workflow

/// A vault whose master key stands in an environment variable, as base64 or as hexadecimal digits.
public struct EnvironmentVault: KeyVault {
    /// The variable that is read unless another one is named.
    public static let variable = "WORKFLOWCTL_MASTER_KEY"

    private let vault: MasterKeyVault

    /// A vault with the key in a variable.
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
        guard let master = MasterKey(text: text) else {
            throw .malformed(
                reason: "\(variable) holds neither base64 nor hexadecimal digits of 32 bytes"
            )
        }
        vault = MasterKeyVault(master: master, random: random)
    }

    /// Makes the data key of a new session.
    public func makeKeys(
        for session: SessionID
    ) async throws(KeyVaultError) -> (keys: SessionKeys, wrapped: [UInt8]) {
        try await vault.makeKeys(for: session)
    }

    /// Unwraps the data key of a session.
    public func keys(
        unwrapping wrapped: [UInt8],
        for session: SessionID
    ) async throws(KeyVaultError) -> SessionKeys {
        try await vault.keys(unwrapping: wrapped, for: session)
    }

    /// A fingerprint of a session's address that is the same in all sessions of the store.
    public func addressFingerprint(of address: String) async throws(KeyVaultError) -> Digest256 {
        try await vault.addressFingerprint(of: address)
    }
}
