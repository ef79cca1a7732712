/// Where the data keys of sessions come from: a master key wraps them, the store keeps them wrapped.
///
/// - Note: Isolation: any.
public protocol KeyVault: Sendable {
    /// Makes the data key of a new session.
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
}

/// What can go wrong with keys.
public enum KeyVaultError: Error, Hashable, Sendable {
    /// There is no key where there should be one.
    case missing(reason: String)
    /// Others may read the key's file.
    case insecurePermissions(path: String, mode: UInt32)
    /// The key is not what a key looks like.
    case malformed(reason: String)
    /// The data key was wrapped by another master key, or the wrapped form was altered.
    case wrongKey
    /// The key's file could not be read or made.
    case unavailable(reason: String)

    /// The error's code, for example `vault.wrong-key`.
    public var code: String {
        switch self {
        case .missing: "vault.missing"
        case .insecurePermissions: "vault.insecure-permissions"
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
