public import EventLog
internal import SwedbankPay

/// A vault whose master keys have names; the first one wraps.
public protocol MasterKeyHolder: KeyVault {
    /// The names of the available master keys, the wrapping one first.
    var identities: [MasterKeyIdentity] { get }
}

extension MasterKeyHolder {
    /// Returns whether a master key that is not available wrapped a data key.
    package func lacksKey(of wrapped: [UInt8]) -> Bool {
        MasterKeyIdentity(ofWrapped: wrapped).map { !identities.contains($0) } ?? false
    }
}

/// A vault with given master keys, which all vaults of master keys use.
public struct MasterKeyVault: MasterKeyHolder {
    private let ring: MasterKeyRing
    private let random: any RandomSource

    init(ring: MasterKeyRing, random: any RandomSource) {
        self.ring = ring
        self.random = random
    }

    /// Creates a vault with a master key of 32 bytes, for hosts that store it themselves.
    ///
    /// - Throws: ``KeyVaultError/malformed(reason:)`` when it does not have 32 bytes.
    public init(
        masterKey bytes: [UInt8],
        random: any RandomSource = SystemRandom()
    ) throws(KeyVaultError) {
        try self.init(masterKeys: [bytes], random: random)
    }

    /// Creates a vault with several master keys: the first one wraps, and each unwraps what it
    /// wrapped.
    ///
    /// - Throws: ``KeyVaultError/malformed(reason:)`` when there is none, there are more than
    ///   sixteen, or one does not have 32 bytes.
    public init(
        masterKeys: [[UInt8]],
        random: any RandomSource = SystemRandom()
    ) throws(KeyVaultError) {
        let keys = masterKeys.compactMap { MasterKey($0) }
        guard keys.count == masterKeys.count else {
            throw .malformed(reason: "a master key must have \(MasterKey.bytes) bytes")
        }
        guard let ring = MasterKeyRing(keys) else {
            throw .malformed(
                reason: "there must be 1 to \(MasterKeyRing.maximumKeys) master keys"
            )
        }
        self.init(ring: ring, random: random)
    }

    /// The names of the master keys, the wrapping one first.
    public var identities: [MasterKeyIdentity] { ring.identities }

    /// Creates the data key of a new session.
    public func makeKeys(
        for session: SessionID
    ) async throws(KeyVaultError) -> (keys: SessionKeys, wrapped: [UInt8]) {
        let dataKey = random.bytes(SessionKeys.dataKeyBytes)
        guard let keys = SessionKeys(dataKey: dataKey) else {
            throw .unavailable(reason: "the random source returned too few bytes")
        }
        return (keys, try wrap(dataKey, for: session))
    }

    /// Unwraps the data key of a session.
    public func keys(
        unwrapping wrapped: [UInt8],
        for session: SessionID
    ) async throws(KeyVaultError) -> SessionKeys {
        guard let keys = SessionKeys(dataKey: try ring.unwrap(wrapped, for: session)) else {
            throw .malformed(reason: "the data key is not \(SessionKeys.dataKeyBytes) bytes long")
        }
        return keys
    }

    /// Returns a fingerprint of a session's address; equal addresses have equal fingerprints in all
    /// sessions.
    public func addressFingerprint(of address: String) async throws(KeyVaultError) -> Digest256 {
        ring.current.addressFingerprint(of: address)
    }

    /// Returns the fingerprints of an address under the keys that only unwrap.
    public func formerAddressFingerprints(
        of address: String
    ) async throws(KeyVaultError) -> [Digest256] {
        ring.former.map { $0.addressFingerprint(of: address) }
    }

    /// Rewraps the data key of a session, unless the first key wrapped it.
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
    /// Returns a vault with the same keys, followed by those of a key file, which only unwrap.
    package func opening(alsoWith path: String) throws(KeyVaultError) -> MasterKeyVault {
        guard let text = try SecretFile(path: path).read() else {
            throw .missing(reason: "there is no key file \(path)")
        }
        guard let others = MasterKeyRing(text: text),
            let both = MasterKeyRing(ring.keys + others.keys)
        else {
            throw .malformed(
                reason:
                    "\(path) does not contain 32 bytes in base64 or hexadecimal, or has too many lines"
            )
        }
        return MasterKeyVault(ring: both, random: random)
    }
}

/// A vault that delegates everything to its current master keys.
package protocol MasterKeySource: MasterKeyHolder {
    /// The current keys.
    var vault: MasterKeyVault { get }
}

extension MasterKeySource {
    /// The names of the master keys, the wrapping one first.
    public var identities: [MasterKeyIdentity] { vault.identities }

    /// Creates the data key of a new session.
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

    /// Returns a fingerprint of a session's address; equal addresses have equal fingerprints in all
    /// sessions.
    public func addressFingerprint(of address: String) async throws(KeyVaultError) -> Digest256 {
        try await vault.addressFingerprint(of: address)
    }

    /// Returns the fingerprints of an address under the keys that only unwrap.
    public func formerAddressFingerprints(
        of address: String
    ) async throws(KeyVaultError) -> [Digest256] {
        try await vault.formerAddressFingerprints(of: address)
    }

    /// Rewraps the data key of a session, unless the first key wrapped it.
    public func rewrap(
        _ wrapped: [UInt8],
        for session: SessionID
    ) async throws(KeyVaultError) -> [UInt8]? {
        try await vault.rewrap(wrapped, for: session)
    }
}
