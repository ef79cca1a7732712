public import Workflow

/// A vault whose master key was given: the part that all vaults of one key share.
public struct MasterKeyVault: KeyVault {
    private let master: MasterKey
    private let random: any RandomSource

    init(master: MasterKey, random: any RandomSource) {
        self.master = master
        self.random = random
    }

    /// A vault with a master key of 32 bytes, for hosts that keep it themselves.
    ///
    /// - Throws: ``KeyVaultError/malformed(reason:)`` when it hasn't 32 bytes.
    public init(
        masterKey bytes: [UInt8],
        random: any RandomSource = SystemRandom()
    ) throws(KeyVaultError) {
        guard let master = MasterKey(bytes) else {
            throw .malformed(reason: "a master key has \(MasterKey.bytes) bytes")
        }
        self.init(master: master, random: random)
    }

    /// Makes the data key of a new session.
    public func makeKeys(
        for session: SessionID
    ) async throws(KeyVaultError) -> (keys: SessionKeys, wrapped: [UInt8]) {
        let dataKey = random.bytes(SessionKeys.dataKeyBytes)
        guard let keys = SessionKeys(dataKey: dataKey) else {
            throw .unavailable(reason: "the random source gave too few bytes")
        }
        let nonce = random.bytes(SessionKeys.nonceBytes)
        return (keys, try master.wrap(dataKey, for: session, nonce: nonce))
    }

    /// Unwraps the data key of a session.
    public func keys(
        unwrapping wrapped: [UInt8],
        for session: SessionID
    ) async throws(KeyVaultError) -> SessionKeys {
        guard let keys = SessionKeys(dataKey: try master.unwrap(wrapped, for: session)) else {
            throw .malformed(reason: "the data key hasn't \(SessionKeys.dataKeyBytes) bytes")
        }
        return keys
    }

    /// A fingerprint of a session's address that is the same in all sessions of the store.
    public func addressFingerprint(of address: String) async throws(KeyVaultError) -> Digest256 {
        master.addressFingerprint(of: address)
    }
}
