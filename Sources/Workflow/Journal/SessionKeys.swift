internal import Crypto
internal import FoundationEssentials

/// The keys of one session, all derived from its data key.
///
/// Values are sealed with AES-256-GCM under the data key; the place of a value in the log is its associated
/// data, so that a seal can't be moved. Fingerprints are HMAC-SHA-256 under a key derived from the data key with
/// HKDF-SHA-256.
public struct SessionKeys: Sendable {
    private let dataKey: SymmetricKey
    /// The code of nothing yet: a copy goes on with a text, which spares each the mixing of the key.
    private let fingerprints: HMAC<SHA256>

    /// The length of a data key.
    public static let dataKeyBytes = 32
    /// The length of a nonce.
    public static let nonceBytes = 12

    /// The keys that follow from a data key.
    ///
    /// - Returns: Nothing when it hasn't 32 bytes.
    public init?(dataKey bytes: [UInt8]) {
        guard bytes.count == Self.dataKeyBytes else { return nil }
        dataKey = SymmetricKey(data: bytes)
        fingerprints = HMAC<SHA256>(
            key: HKDF<SHA256>.deriveKey(
                inputKeyMaterial: dataKey,
                info: Array("payment-workflow fingerprint v1".utf8),
                outputByteCount: 32
            )
        )
    }

    /// HMAC-SHA-256 of a plaintext under the fingerprint key.
    public func fingerprint(of plaintext: String) -> Digest256 {
        var text = plaintext
        var code = fingerprints
        text.withUTF8 { code.update(data: $0) }
        return code.finalize().withUnsafeBytes { Digest256(raw: $0) }
    }

    /// Seals a plaintext at its place in the log.
    ///
    /// - Parameters:
    ///   - plaintext: What to seal.
    ///   - place: `stream/seq/N`, bound to the ciphertext.
    ///   - nonce: Twelve unpredictable bytes, used once.
    /// - Returns: Nonce, ciphertext and tag; nothing when the nonce hasn't twelve bytes.
    package func seal(
        _ plaintext: String,
        at place: String,
        nonce: some Collection<UInt8>
    ) -> [UInt8]? {
        guard nonce.count == Self.nonceBytes, let nonce = try? AES.GCM.Nonce(data: Array(nonce))
        else { return nil }
        var (plaintext, place) = (plaintext, place)
        // Lent, not copied: only what is sealed has to be put somewhere.
        let box = plaintext.withUTF8 { plaintext in
            place.withUTF8 { place in
                try? AES.GCM.seal(
                    UnsafeRawBufferPointer(plaintext),
                    using: dataKey,
                    nonce: nonce,
                    authenticating: UnsafeRawBufferPointer(place)
                )
            }
        }
        return box?.combined?.withUnsafeBytes { Array($0) }
    }

    /// Opens a seal.
    ///
    /// - Returns: Nothing when it is not what was sealed at this place with these keys.
    package func open(_ seal: [UInt8], at place: String) -> String? {
        guard let box = try? AES.GCM.SealedBox(combined: seal),
            let bytes = try? AES.GCM.open(box, using: dataKey, authenticating: Array(place.utf8))
        else { return nil }
        return String(validating: bytes, as: UTF8.self)
    }
}

extension Digest256 {
    /// The digest in 32 raw bytes.
    init(raw bytes: UnsafeRawBufferPointer) {
        func word(_ index: Int) -> UInt64 {
            UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: index * 8, as: UInt64.self))
        }
        self.init(words: (word(0), word(1), word(2), word(3)))
    }
}

extension SessionKeys: CustomStringConvertible, CustomReflectable {
    /// Never the keys.
    public var description: String { "session keys" }

    /// Nothing inside.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
