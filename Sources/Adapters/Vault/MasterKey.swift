internal import Crypto
internal import EventLog
internal import FoundationEssentials
internal import SwedbankPay

/// The key that wraps the data keys of all sessions, and the keys derived from it.
struct MasterKey: Sendable {
    /// The length of the key in bytes.
    static let bytes = 32

    private let wrapping: SymmetricKey
    private let addresses: SymmetricKey
    /// The first bytes of a hash of the key: they identify it without revealing it.
    let identity: [UInt8]

    /// Creates a master key from 32 bytes; `nil` for any other length.
    init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.bytes else { return nil }
        let master = SymmetricKey(data: bytes)
        wrapping = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: master,
            info: Array("payment-workflow key wrap v1".utf8),
            outputByteCount: 32
        )
        addresses = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: master,
            info: Array("payment-workflow address v1".utf8),
            outputByteCount: 32
        )
        identity = Array(
            SHA256.hash(data: Array("payment-workflow key identity v1".utf8) + bytes)
                .prefix(MasterKeyIdentity.size)
        )
    }

    /// Parses a key: 64 hexadecimal digits, or base64 of 32 bytes; surrounding whitespace is
    /// ignored.
    ///
    /// Returns `nil` for any other text.
    init?(text: String) {
        let blank: Set<Character> = [" ", "\n", "\r", "\r\n", "\t"]
        let trimmed = String(
            text.drop(while: blank.contains).reversed().drop(while: blank.contains).reversed()
        )
        if let digest = Digest256(hexadecimal: trimmed.lowercased()) {
            self.init(digest.bytes)
        } else if let data = Data(base64Encoded: trimmed) {
            self.init([UInt8](data))
        } else {
            return nil
        }
    }

    /// Wraps a session's data key.
    ///
    /// The form is: version, identity of the master key, nonce, ciphertext, tag. The session's
    /// identity is bound to it.
    func wrap(
        _ dataKey: [UInt8],
        for session: SessionID,
        nonce: [UInt8]
    ) throws(KeyVaultError) -> [UInt8] {
        guard nonce.count == SessionKeys.nonceBytes,
            let nonce = try? AES.GCM.Nonce(data: nonce),
            let box = try? AES.GCM.seal(
                dataKey,
                using: wrapping,
                nonce: nonce,
                authenticating: Array("\(session)".utf8)
            ),
            let combined = box.combined
        else { throw .unavailable(reason: "the random source returned no usable nonce") }
        return [MasterKeyIdentity.version] + identity + Array(combined)
    }

    /// Unwraps a data key of a session.
    ///
    /// - Throws: ``KeyVaultError/wrongKey`` when it was wrapped by another master key or for
    ///   another session, or was altered.
    func unwrap(
        _ wrapped: [UInt8],
        for session: SessionID
    ) throws(KeyVaultError) -> [UInt8] {
        guard let version = wrapped.first else {
            throw .malformed(reason: "the wrapped key is empty")
        }
        guard version == MasterKeyIdentity.version else {
            throw .malformed(reason: "the wrapped key has the unknown form \(version)")
        }
        let body = wrapped.dropFirst()
        guard body.prefix(MasterKeyIdentity.size).elementsEqual(identity),
            let box = try? AES.GCM.SealedBox(
                combined: Array(body.dropFirst(MasterKeyIdentity.size))
            ),
            let key = try? AES.GCM.open(
                box,
                using: wrapping,
                authenticating: Array("\(session)".utf8)
            )
        else { throw .wrongKey }
        return Array(key)
    }

    /// HMAC-SHA-256 of a session's address; equal addresses have equal fingerprints in all
    /// sessions.
    func addressFingerprint(of address: String) -> Digest256 {
        let code = HMAC<SHA256>.authenticationCode(for: Array(address.utf8), using: addresses)
        return Digest256(bytes: Array(code)) ?? .zero
    }
}

extension MasterKey: CustomStringConvertible, CustomReflectable {
    /// A fixed text, never the key.
    var description: String { "master key" }

    /// An empty mirror.
    var customMirror: Mirror { Mirror(self, children: []) }
}
