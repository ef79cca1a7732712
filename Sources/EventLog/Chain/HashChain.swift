internal import Crypto

/// Links each record to the previous one, so that no record can be altered, removed or inserted
/// undetected.
public enum HashChain {
    /// The hash of a record: SHA-256 over the 32 raw bytes of the previous hash and the canonical
    /// bytes.
    public static func hash(_ previous: Digest256, _ canonical: [UInt8]) -> Digest256 {
        canonical.withUnsafeBytes { hash(previous, $0) }
    }

    /// The hash of a record whose bytes are borrowed.
    package static func hash(
        _ previous: Digest256,
        _ canonical: UnsafeRawBufferPointer
    ) -> Digest256 {
        var hasher = SHA256()
        let words = (
            previous.words.0.bigEndian, previous.words.1.bigEndian,
            previous.words.2.bigEndian, previous.words.3.bigEndian
        )
        withUnsafeBytes(of: words) { hasher.update(bufferPointer: $0) }
        hasher.update(bufferPointer: canonical)
        return hasher.finalize().withUnsafeBytes { Digest256(raw: $0) }
    }

    /// The SHA-256 digest of bytes alone.
    package static func hash(_ bytes: [UInt8]) -> Digest256 {
        let digest = bytes.withUnsafeBytes { SHA256.hash(data: $0) }
        return digest.withUnsafeBytes { Digest256(raw: $0) }
    }
}
