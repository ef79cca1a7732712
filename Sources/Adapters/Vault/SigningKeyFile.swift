public import EventLog
internal import SwedbankPay

/// Where the key comes from that signs checkpoints.
public enum SigningKey {
    /// The key in a file that only its owner may read, made on first use when that is wanted.
    ///
    /// - Parameters:
    ///   - path: The file: 32 bytes as base64 or hexadecimal digits.
    ///   - createsMissing: Whether a missing file is made; without, it is an error.
    ///   - random: Where a new key comes from.
    /// - Throws: ``KeyVaultError/foreignOwner(path:owner:)`` when the file is another user's,
    ///   ``KeyVaultError/insecurePermissions(path:mode:)`` when the group or others have any right to the
    ///   file, ``KeyVaultError/malformed(reason:)`` when it holds no key, ``KeyVaultError/missing(reason:)`` when
    ///   there is none and none is to be made, ``KeyVaultError/unavailable(reason:)`` when reading or making fails.
    public static func inFile(
        _ path: String,
        createsMissing: Bool,
        random: any RandomSource = SystemRandom()
    ) throws(KeyVaultError) -> CheckpointSigner {
        let file = KeyFile(path: path)
        var text = try file.read()
        if text == nil, createsMissing {
            try file.create(with: random.bytes(CheckpointSigner.byteCount))
            text = try file.read()
        }
        guard let text else { throw .missing(reason: "there is no signing key \(path)") }
        guard let signer = KeyText.bytes(text).flatMap(CheckpointSigner.init(privateKey:)) else {
            throw .malformed(
                reason: "\(path) holds neither base64 nor hexadecimal digits of 32 bytes"
            )
        }
        return signer
    }

    /// The key in a text, such as an environment variable's.
    ///
    /// - Returns: Nothing when it is neither base64 nor hexadecimal digits of 32 bytes.
    public static func inText(_ text: String) -> CheckpointSigner? {
        KeyText.bytes(text).flatMap(CheckpointSigner.init(privateKey:))
    }
}

extension CheckpointKey {
    /// Reads a public key from text: 64 hexadecimal digits, or base64 of 32 bytes.
    ///
    /// - Returns: Nothing for any other text.
    public init?(text: String) {
        guard let bytes = KeyText.bytes(text) else { return nil }
        self.init(bytes)
    }
}
