/// The source of the sessions' data keys, which a master key wraps and the store keeps wrapped.
///
/// Implement this port to use a key management service: the service wraps and unwraps, and the
/// master key never leaves it.
///
/// - Note: Isolation: any.
public protocol KeyVault: Sendable {
    /// Creates the data key of a new session and wraps it, bound to the session.
    ///
    /// - Returns: The keys to use, and the wrapped form to store.
    func makeKeys(
        for session: SessionID
    ) async throws(KeyVaultError) -> (keys: SessionKeys, wrapped: [UInt8])

    /// Unwraps the data key of a session.
    ///
    /// - Throws: ``KeyVaultError/wrongKey`` when it was wrapped by another master key or for
    ///   another session.
    func keys(
        unwrapping wrapped: [UInt8],
        for session: SessionID
    ) async throws(KeyVaultError) -> SessionKeys

    /// A fingerprint of a session's address that is the same for all sessions of the store.
    func addressFingerprint(of address: String) async throws(KeyVaultError) -> Digest256

    /// The fingerprints that an address had under the master keys used before the current one.
    ///
    /// They find sessions whose keys have not been rewrapped yet.
    func formerAddressFingerprints(
        of address: String
    ) async throws(KeyVaultError) -> [Digest256]

    /// Rewraps the data key of a session with the current master key.
    ///
    /// - Returns: The wrapped form, or `nil` when the current master key already wraps it.
    /// - Throws: ``KeyVaultError/wrongKey`` when it was wrapped by a master key that is not
    ///   available.
    func rewrap(
        _ wrapped: [UInt8],
        for session: SessionID
    ) async throws(KeyVaultError) -> [UInt8]?
}

extension KeyVault {
    /// No former fingerprints: by default they never change.
    public func formerAddressFingerprints(
        of address: String
    ) async throws(KeyVaultError) -> [Digest256] { [] }

    /// Returns `nil`: by default the key management service rotates its own keys.
    public func rewrap(
        _ wrapped: [UInt8],
        for session: SessionID
    ) async throws(KeyVaultError) -> [UInt8]? { nil }
}

/// A failure to obtain or use keys.
@nonexhaustive
public enum KeyVaultError: Error, Hashable, Sendable {
    /// A key that should exist is missing.
    case missing(reason: String)
    /// The key's file can be read by others.
    case insecurePermissions(path: String, mode: UInt32)
    /// The key's file belongs to a user other than root and the user of this process.
    case foreignOwner(path: String, owner: UInt32)
    /// The key does not have the form of a key.
    case malformed(reason: String)
    /// The data key was wrapped by another master key, or the wrapped form was altered.
    case wrongKey
    /// The key's file could not be read or created, or the key service returned no key.
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

/// A source of random bits; the pure layers have none of their own.
public protocol RandomSource: Sendable {
    /// Returns the given number of unpredictable bytes.
    func bytes(_ count: Int) -> [UInt8]
}

extension RandomSource {
    /// Returns 64 unpredictable bits.
    package func next() -> UInt64 {
        bytes(8).reduce(0) { $0 << 8 | UInt64($1) }
    }
}
