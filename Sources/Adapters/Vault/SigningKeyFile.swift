public import EventLog
internal import SwedbankPay

/// Reads the key that signs checkpoints.
public enum SigningKey {
    /// Reads the key from a file that only its owner may read, creating it on first use if
    /// requested.
    ///
    /// - Parameters:
    ///   - path: The file: 32 bytes as base64 or hexadecimal.
    ///   - createsMissing: Whether to create a missing file; otherwise it is an error.
    ///   - random: The source of a new key.
    /// - Returns: The signer with that key.
    /// - Throws: ``KeyVaultError/foreignOwner(path:owner:)`` when the file belongs to another user,
    ///   ``KeyVaultError/insecurePermissions(path:mode:)`` when the group or others have any access
    ///   to the file, ``KeyVaultError/malformed(reason:)`` when it holds no key,
    ///   ``KeyVaultError/missing(reason:)`` when it does not exist and must not be created,
    ///   ``KeyVaultError/unavailable(reason:)`` when reading or creating it fails.
    public static func inFile(
        _ path: String,
        createsMissing: Bool,
        random: any RandomSource = SystemRandom()
    ) throws(KeyVaultError) -> CheckpointSigner {
        let file = SecretFile(path: path)
        var text = try file.read()
        if text == nil, createsMissing {
            try file.create(with: SecretFile.line(random.bytes(CheckpointSigner.byteCount)))
            text = try file.read()
        }
        guard let text else { throw .missing(reason: "there is no signing key \(path)") }
        guard let signer = KeyText.bytes(text).flatMap(CheckpointSigner.init(privateKey:)) else {
            throw .malformed(
                reason: "\(path) does not contain 32 bytes in base64 or hexadecimal"
            )
        }
        return signer
    }

    /// Parses the key from a text, such as an environment variable's.
    ///
    /// - Returns: `nil` when it is neither base64 nor hexadecimal digits of 32 bytes.
    public static func inText(_ text: String) -> CheckpointSigner? {
        KeyText.bytes(text).flatMap(CheckpointSigner.init(privateKey:))
    }
}

extension CheckpointKey {
    /// Parses a public key: 64 hexadecimal digits, or base64 of 32 bytes.
    ///
    /// Returns `nil` for any other text.
    public init?(text: String) {
        guard let bytes = KeyText.bytes(text) else { return nil }
        self.init(bytes)
    }
}
