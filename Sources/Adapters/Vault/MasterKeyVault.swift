public import EventLog
internal import SwedbankPay

/// A vault of this kind: master keys with names, the first of which wraps.
public protocol MasterKeyHolder: KeyVault {
    /// The names of the master keys at hand, the one that wraps first.
    var identities: [MasterKeyIdentity] { get }
}

/// A vault whose master keys were given: the part that all vaults of master keys share.
public struct MasterKeyVault: MasterKeyHolder {
    private let ring: MasterKeyRing
    private let random: any RandomSource

    init(ring: MasterKeyRing, random: any RandomSource) {
        self.ring = ring
        self.random = random
    }

    /// A vault with a master key of 32 bytes, for hosts that keep it themselves.
    ///
    /// - Throws: ``KeyVaultError/malformed(reason:)`` when it hasn't 32 bytes.
    public init(
        masterKey bytes: [UInt8],
        random: any RandomSource = SystemRandom()
    ) throws(KeyVaultError) {
        try self.init(masterKeys: [bytes], random: random)
    }

    /// A vault with several master keys: the first one wraps, each of them opens what it wrapped.
    ///
    /// - Throws: ``KeyVaultError/malformed(reason:)`` when there is none, there are more than sixteen, or one hasn't
    ///   32 bytes.
    public init(
        masterKeys: [[UInt8]],
        random: any RandomSource = SystemRandom()
    ) throws(KeyVaultError) {
        let keys = masterKeys.compactMap { MasterKey($0) }
        guard keys.count == masterKeys.count else {
            throw .malformed(reason: "a master key has \(MasterKey.bytes) bytes")
        }
        guard let ring = MasterKeyRing(keys) else {
            throw .malformed(
                reason: "there are from one to \(MasterKeyRing.maximumKeys) master keys"
            )
        }
        self.init(ring: ring, random: random)
    }

    /// The names of the master keys, the one that wraps first.
    public var identities: [MasterKeyIdentity] { ring.identities }

    /// Makes the data key of a new session.
    public func makeKeys(
        for session: SessionID
    ) async throws(KeyVaultError) -> (keys: SessionKeys, wrapped: [UInt8]) {
        let dataKey = random.bytes(SessionKeys.dataKeyBytes)
        guard let keys = SessionKeys(dataKey: dataKey, authenticFrom: 1) else {
            throw .unavailable(reason: "the random source gave too few bytes")
        }
        let material = SessionKeys.material(dataKey, authenticFrom: 1)
        return (keys, try wrap(material, for: session))
    }

    /// Unwraps the data key of a session.
    public func keys(
        unwrapping wrapped: [UInt8],
        for session: SessionID
    ) async throws(KeyVaultError) -> SessionKeys {
        guard let keys = SessionKeys(material: try ring.unwrap(wrapped, for: session)) else {
            throw .malformed(reason: "the data key hasn't \(SessionKeys.dataKeyBytes) bytes")
        }
        return keys
    }

    /// Wraps the data key of a session of an earlier build anew, so that its records have MACs from a place on.
    public func authenticating(
        _ wrapped: [UInt8],
        for session: SessionID,
        from place: Int64
    ) async throws(KeyVaultError) -> (keys: SessionKeys, wrapped: [UInt8])? {
        let dataKey = try ring.unwrap(wrapped, for: session)
        guard let keys = SessionKeys(dataKey: dataKey, authenticFrom: place) else { return nil }
        let material = SessionKeys.material(dataKey, authenticFrom: place)
        return (keys, try wrap(material, for: session))
    }

    /// A fingerprint of a session's address that is the same in all sessions of the store.
    public func addressFingerprint(of address: String) async throws(KeyVaultError) -> Digest256 {
        ring.current.addressFingerprint(of: address)
    }

    /// The fingerprints of an address under the keys that only open.
    public func formerAddressFingerprints(
        of address: String
    ) async throws(KeyVaultError) -> [Digest256] {
        ring.former.map { $0.addressFingerprint(of: address) }
    }

    /// Wraps the data key of a session anew, unless the first key has wrapped it.
    public func rewrap(
        _ wrapped: [UInt8],
        for session: SessionID
    ) async throws(KeyVaultError) -> [UInt8]? {
        guard MasterKeyIdentity(ofWrapped: wrapped)?.bytes != ring.current.identity else {
            return nil
        }
        return try wrap(try ring.unwrap(wrapped, for: session), for: session)
    }

    private func wrap(_ material: [UInt8], for session: SessionID) throws(KeyVaultError) -> [UInt8]
    {
        try ring.current.wrap(
            material,
            for: session,
            nonce: random.bytes(SessionKeys.nonceBytes)
        )
    }
}

extension MasterKeyVault {
    /// The same keys, and behind them those of a key file, which only open.
    package func opening(alsoWith path: String) throws(KeyVaultError) -> MasterKeyVault {
        guard let text = try KeyFile(path: path).read() else {
            throw .missing(reason: "there is no key file \(path)")
        }
        guard let others = MasterKeyRing(text: text),
            let both = MasterKeyRing(ring.keys + others.keys)
        else {
            throw .malformed(
                reason:
                    "\(path) holds neither base64 nor hexadecimal digits of 32 bytes, or too many"
            )
        }
        return MasterKeyVault(ring: both, random: random)
    }
}

/// A vault that leaves everything to master keys from somewhere.
package protocol MasterKeySource: MasterKeyHolder {
    /// The keys as they are now.
    var vault: MasterKeyVault { get }
}

extension MasterKeySource {
    /// The names of the master keys, the one that wraps first.
    public var identities: [MasterKeyIdentity] { vault.identities }

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

    /// Wraps the data key of a session of an earlier build anew, so that its records have MACs from a place on.
    public func authenticating(
        _ wrapped: [UInt8],
        for session: SessionID,
        from place: Int64
    ) async throws(KeyVaultError) -> (keys: SessionKeys, wrapped: [UInt8])? {
        try await vault.authenticating(wrapped, for: session, from: place)
    }

    /// A fingerprint of a session's address that is the same in all sessions of the store.
    public func addressFingerprint(of address: String) async throws(KeyVaultError) -> Digest256 {
        try await vault.addressFingerprint(of: address)
    }

    /// The fingerprints of an address under the keys that only open.
    public func formerAddressFingerprints(
        of address: String
    ) async throws(KeyVaultError) -> [Digest256] {
        try await vault.formerAddressFingerprints(of: address)
    }

    /// Wraps the data key of a session anew, unless the first key has wrapped it.
    public func rewrap(
        _ wrapped: [UInt8],
        for session: SessionID
    ) async throws(KeyVaultError) -> [UInt8]? {
        try await vault.rewrap(wrapped, for: session)
    }
}
