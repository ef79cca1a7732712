/// A secret or personal value, as rules and logs know it: by its fingerprint alone.
///
/// The fingerprint is HMAC-SHA-256 of the plaintext under a key derived from the session's data key, so
/// two values of a session are equal exactly when their fingerprints are, and nobody without the key
/// can guess the value from it. Because rules see no more than this, a log replays to the same state
/// with its keys, without them, after redaction and after erasure.
public struct Sealed: Hashable, Sendable {
    /// HMAC-SHA-256 of the plaintext.
    public let fingerprint: Digest256

    /// A sealed value that is known by this fingerprint.
    public init(fingerprint: Digest256) {
        self.fingerprint = fingerprint
    }
}

extension Sealed: CustomStringConvertible {
    /// Never the plaintext: dots and the first digits of the fingerprint.
    public var description: String { "•••" + fingerprint.hexadecimal.prefix(8) }
}

/// Text that came from outside: in the clear when it cannot hold a secret, else sealed.
public enum OutsideText: Hashable, Sendable {
    /// Text in which nothing looks like a secret.
    case plain(String)
    /// Text that may quote a secret: an address, a token, a number of a person or card.
    case sealed(Sealed)
}
