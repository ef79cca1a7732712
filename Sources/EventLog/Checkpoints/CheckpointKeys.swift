internal import Crypto

/// The public half of a key that signs checkpoints, used to verify who signed.
///
/// - Note: Source: RFC 8032, Ed25519.
public struct CheckpointKey: Hashable, Sendable {
    /// The size of a key in bytes.
    public static let byteCount = 32

    /// The bytes of the key.
    public let bytes: [UInt8]

    /// Creates a key from 32 bytes.
    ///
    /// Returns `nil` when there are more or fewer.
    public init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.byteCount else { return nil }
        self.bytes = bytes
    }

    /// The key's identifier in checkpoints: the first eight bytes of its SHA-256 digest, as
    /// hexadecimal digits.
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
    /// The size of the private half in bytes.
    public static let byteCount = 32

    private let key: Curve25519.Signing.PrivateKey
    /// The public half.
    public let publicKey: CheckpointKey

    /// Creates a signer from the 32 bytes of a private half.
    ///
    /// Returns `nil` when there are more or fewer.
    public init?(privateKey bytes: [UInt8]) {
        guard bytes.count == Self.byteCount,
            let key = try? Curve25519.Signing.PrivateKey(rawRepresentation: bytes),
            let publicKey = CheckpointKey(Array(key.publicKey.rawRepresentation))
        else { return nil }
        self.key = key
        self.publicKey = publicKey
    }

    /// Signs the root of a tree.
    ///
    /// - Returns: The signed checkpoint, or `nil` when the cryptographic library refuses to sign.
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
    /// The public half's identifier, never the private half.
    public var description: String { "signing key \(publicKey.id)" }

    /// An empty mirror, so that a dump shows no key.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
