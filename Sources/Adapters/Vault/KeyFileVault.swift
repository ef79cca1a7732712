public import Workflow

/// A vault whose master key stands in a file that only its owner may read.
public struct KeyFileVault: KeyVault {
    private let vault: MasterKeyVault

    /// A vault with the key in a file.
    ///
    /// The file is made on first use, with mode 0600 and a key of the random source; of two processes that do so
    /// at the same time one makes it and the other reads it.
    ///
    /// - Parameters:
    ///   - path: The file: 32 bytes as base64 or hexadecimal digits.
    ///   - createsMissing: Whether a missing file is made; without, it is an error.
    ///   - random: Where keys and nonces come from.
    /// - Throws: ``KeyVaultError/insecurePermissions(path:mode:)`` when the group or others have any right to the
    ///   file, ``KeyVaultError/malformed(reason:)`` when it holds no key, ``KeyVaultError/missing(reason:)`` when
    ///   there is none and none is to be made, ``KeyVaultError/unavailable(reason:)`` when reading or making fails.
    public init(
        path: String,
        createsMissing: Bool = true,
        random: any RandomSource = SystemRandom()
    ) throws(KeyVaultError) {
        let file = KeyFile(path: path)
        var text = try file.read()
        if text == nil, createsMissing {
            try file.create(with: random.bytes(MasterKey.bytes))
            text = try file.read()
        }
        guard let text else { throw .missing(reason: "there is no key file \(path)") }
        guard let master = MasterKey(text: text) else {
            throw .malformed(
                reason: "\(path) holds neither base64 nor hexadecimal digits of 32 bytes"
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
