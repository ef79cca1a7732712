internal import Crypto

/// Hashes the nodes of a Merkle tree.
///
/// Each input is prefixed with a byte that differs between leaves and nodes, so that a node can't
/// be passed off as a leaf.
///
/// - Note: Source: RFC 6962, section 2.1.
public enum MerkleHash {
    /// The root of a tree without leaves: the hash of no bytes.
    public static let nothing = HashChain.hash([])

    /// The hash of a leaf: SHA-256 over a zero byte and the leaf.
    public static func leaf(_ bytes: [UInt8]) -> Digest256 {
        var hasher = SHA256()
        hasher.update(data: [0 as UInt8])
        bytes.withUnsafeBytes { hasher.update(bufferPointer: $0) }
        return hasher.finalize().withUnsafeBytes { Digest256(raw: $0) }
    }

    /// The hash of a node: SHA-256 over a byte 1 and the hashes of both children.
    public static func node(_ left: Digest256, _ right: Digest256) -> Digest256 {
        var hasher = SHA256()
        hasher.update(data: [1 as UInt8])
        let words = (
            left.words.0.bigEndian, left.words.1.bigEndian,
            left.words.2.bigEndian, left.words.3.bigEndian,
            right.words.0.bigEndian, right.words.1.bigEndian,
            right.words.2.bigEndian, right.words.3.bigEndian
        )
        withUnsafeBytes(of: words) { hasher.update(bufferPointer: $0) }
        return hasher.finalize().withUnsafeBytes { Digest256(raw: $0) }
    }
}
