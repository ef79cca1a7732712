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

    /// Text as it is recorded: sealed when something in it looks like a secret.
    ///
    /// What is recorded in the clear by this gate is never touched again when a log is made fit to be shown.
    ///
    /// - Parameter harmlessAddresses: What addresses begin with that are no secret, in lower case.
    package init(
        recording text: String,
        as style: MaskStyle,
        sparing harmlessAddresses: [String],
        with keys: SessionKeys,
        in secrets: inout SecretTable
    ) {
        let mayBeSecret = SecretFinder.findsAnything(
            in: text,
            style: style,
            sparing: harmlessAddresses
        )
        self = mayBeSecret ? .sealed(secrets.seal(text, with: keys)) : .plain(text)
    }

    /// Whether it is sealed.
    public var isSealed: Bool { if case .sealed = self { true } else { false } }

    /// The text, unless it is sealed.
    package var inTheClear: String? { if case .plain(let text) = self { text } else { nil } }

    /// The text where it is in the clear; else dots and the first digits of its fingerprint.
    public var shown: String {
        switch self {
        case .plain(let text): text
        case .sealed(let sealed): sealed.description
        }
    }
}

extension OutsideText: ExpressibleByStringLiteral {
    /// Text in the clear: what stands in a program is no secret.
    public init(stringLiteral value: String) { self = .plain(value) }
}
