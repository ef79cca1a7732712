/// Where the data keys of sessions come from: a master key wraps them, the store keeps them wrapped.
///
/// The port for a key management service: whoever implements it lets the service wrap and unwrap, and the master key
/// never leaves it.
///
/// - Note: Isolation: any.
public protocol KeyVault: Sendable {
    /// Makes the data key of a new session, all of whose records are to have MACs.
    ///
    /// What has to be wrapped, and authenticated, is ``SessionKeys/material(_:authenticFrom:)`` from place 1; the records of a
    /// session whose data key is wrapped alone have no MACs.
    ///
    /// - Returns: The keys to use, and the wrapped form to store.
    func makeKeys(
        for session: SessionID
    ) async throws(KeyVaultError) -> (keys: SessionKeys, wrapped: [UInt8])

    /// Unwraps the data key of a session.
    ///
    /// - Throws: ``KeyVaultError/wrongKey`` when it was wrapped by another master key or for another session.
    func keys(
        unwrapping wrapped: [UInt8],
        for session: SessionID
    ) async throws(KeyVaultError) -> SessionKeys

    /// A fingerprint of a session's address that is the same in all sessions of the store.
    func addressFingerprint(of address: String) async throws(KeyVaultError) -> Digest256

    /// The fingerprints that an address had under the master keys before the one that is used now.
    ///
    /// Sessions whose keys were not yet wrapped anew are found by them.
    func formerAddressFingerprints(
        of address: String
    ) async throws(KeyVaultError) -> [Digest256]

    /// Wraps the data key of a session anew, with the master key that is used now.
    ///
    /// - Returns: Nothing when that key has wrapped it already.
    /// - Throws: ``KeyVaultError/wrongKey`` when it was wrapped by a master key that isn't at hand.
    func rewrap(
        _ wrapped: [UInt8],
        for session: SessionID
    ) async throws(KeyVaultError) -> [UInt8]?

    /// Wraps the data key of a session of an earlier build anew, so that its records have MACs from a place on.
    ///
    /// - Returns: The keys and the wrapped form; nothing when the vault can't, and when they have MACs already.
    /// - Throws: ``KeyVaultError/wrongKey`` when it was wrapped by a master key that isn't at hand.
    func authenticating(
        _ wrapped: [UInt8],
        for session: SessionID,
        from place: Int64
    ) async throws(KeyVaultError) -> (keys: SessionKeys, wrapped: [UInt8])?
}

extension KeyVault {
    /// None: fingerprints never change.
    public func formerAddressFingerprints(
        of address: String
    ) async throws(KeyVaultError) -> [Digest256] { [] }

    /// Nothing: the records of the session stay as they are.
    public func authenticating(
        _ wrapped: [UInt8],
        for session: SessionID,
        from place: Int64
    ) async throws(KeyVaultError) -> (keys: SessionKeys, wrapped: [UInt8])? { nil }

    /// Nothing: whoever wraps changes its own keys by itself.
    public func rewrap(
        _ wrapped: [UInt8],
        for session: SessionID
    ) async throws(KeyVaultError) -> [UInt8]? { nil }
}

/// What can go wrong with keys.
public enum KeyVaultError: Error, Hashable, Sendable {
    /// There is no key where there should be one.
    case missing(reason: String)
    /// Others may read the key's file.
    case insecurePermissions(path: String, mode: UInt32)
    /// The key's file belongs to a user who is neither root nor who runs this process.
    case foreignOwner(path: String, owner: UInt32)
    /// The key is not what a key looks like.
    case malformed(reason: String)
    /// The data key was wrapped by another master key, or the wrapped form was altered.
    case wrongKey
    /// The key's file could not be read or made, or who was asked for the key gave none.
    case unavailable(reason: String)

    /// The error's code, for example `vault.wrong-key`.
    public var code: String {
        switch self {
        case .missing: "vault.missing"
        case .insecurePermissions: "vault.insecure-permissions"
        case .foreignOwner: "vault.foreign-owner"
        case .malformed: "vault.malformed"
        case .wrongKey: "vault.wrong-key"
        case .unavailable: "vault.unavailable"
        }
    }
}

/// Where random bits come from; the pure part has none of its own.
public protocol RandomSource: Sendable {
    /// So many unpredictable bytes.
    func bytes(_ count: Int) -> [UInt8]
}

extension RandomSource {
    /// Sixty-four unpredictable bits.
    package func next() -> UInt64 {
        bytes(8).reduce(0) { $0 << 8 | UInt64($1) }
    }
}
