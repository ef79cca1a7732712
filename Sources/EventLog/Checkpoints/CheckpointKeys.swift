internal import Crypto

/// The public half of a key that signs checkpoints: whoever has it can tell who signed.
///
/// - Note: Source: RFC 8032, Ed25519.
public struct CheckpointKey: Hashable, Sendable {
    /// How many bytes a key has.
    public static let byteCount = 32

    /// The bytes of the key.
    public let bytes: [UInt8]

    /// A key of 32 bytes.
    ///
    /// - Returns: Nothing when there are more or fewer.
    public init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.byteCount else { return nil }
        self.bytes = bytes
    }

    /// The key's name in checkpoints: the first eight bytes of its SHA-256, as hexadecimal digits.
    public var id: String { String(HashChain.hash(bytes).hexadecimal.prefix(16)) }

    /// Whether a signature over bytes was made with the private half.
    func accepts(_ signature: [UInt8], over bytes: [UInt8]) -> Bool {
        guard let key = try? Curve25519.Signing.PublicKey(rawRepresentation: self.bytes) else {
            return false
        }
        return key.isValidSignature(signature, for: bytes)
    }
}

extension CheckpointKey: CustomStringConvertible {
    /// Sixty-four lower-case hexadecimal digits.
    public var description: String { Hexadecimal.text(bytes) }
}

/// A key that signs checkpoints.
///
/// - Note: Source: RFC 8032, Ed25519.
public struct CheckpointSigner: Sendable {
    /// How many bytes the private half has.
    public static let byteCount = 32

    private let key: Curve25519.Signing.PrivateKey
    /// The public half.
    public let publicKey: CheckpointKey

    /// The key of a private half of 32 bytes.
    ///
    /// - Returns: Nothing when there are more or fewer.
    public init?(privateKey bytes: [UInt8]) {
        guard bytes.count == Self.byteCount,
            let key = try? Curve25519.Signing.PrivateKey(rawRepresentation: bytes),
            let publicKey = CheckpointKey(Array(key.publicKey.rawRepresentation))
        else { return nil }
        self.key = key
        self.publicKey = publicKey
    }

    /// Signs what a tree has come to.
    ///
    /// - Returns: Nothing when the cryptographic library refuses to sign.
    public func sign(root: Digest256, size: Int, at instant: Instant) -> SignedCheckpoint? {
        let checkpoint = Checkpoint(at: instant, key: publicKey.id, root: root, size: size)
        guard let signature = try? key.signature(for: checkpoint.canonical) else { return nil }
        return SignedCheckpoint(
            checkpoint: checkpoint,
            publicKey: publicKey,
            signature: Array(signature)
        )
    }
}

extension CheckpointSigner: CustomStringConvertible, CustomReflectable {
    /// Never the private half.
    public var description: String { "signing key \(publicKey.id)" }

    /// Nothing inside.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
