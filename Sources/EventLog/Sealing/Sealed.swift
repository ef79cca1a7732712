/// A secret or personal value as rules and logs know it: only by its fingerprint.
///
/// The fingerprint is HMAC-SHA-256 of the plaintext under a key derived from the session's data
/// key, so two values of a session are equal exactly when their fingerprints are, and nobody
/// without the key can guess the value from it. Because rules see nothing else, a log replays to
/// the same state with its keys, without them, after redaction and after erasure.
public struct Sealed: Hashable, Sendable {
    /// HMAC-SHA-256 of the plaintext.
    public let fingerprint: Digest256

    /// Creates a sealed value with this fingerprint.
    public init(fingerprint: Digest256) {
        self.fingerprint = fingerprint
    }
}

extension Sealed: CustomStringConvertible {
    /// Dots and the first digits of the fingerprint; never the plaintext.
    public var description: String { "•••" + fingerprint.hexadecimal.prefix(8) }
}

/// Text from outside: in the clear when it can't hold a secret, otherwise sealed.
public enum OutsideText: Hashable, Sendable {
    /// Text without anything that looks like a secret.
    case plain(String)
    /// Text that may quote a secret: an address, a token, or the number of a person or card.
    case sealed(Sealed)

    /// Creates a text of the merchant as it is recorded: sealed when something in it looks like a
    /// secret.
    ///
    /// Text that is recorded in the clear here is never changed later when a log is prepared to be
    /// shown.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - isReference: Whether it is the merchant's reference.
    ///   - keys: The session's keys.
    ///   - secrets: The table that receives the plaintext when the text is sealed.
    package init(
        recording text: String,
        isReference: Bool = false,
        with keys: SessionKeys,
        in secrets: inout SecretTable
    ) {
        self =
            OutsideTextScreen.isHarmless(own: text, isReference: isReference)
            ? .plain(text) : .sealed(secrets.seal(text, with: keys))
    }

    /// Whether it is sealed.
    public var isSealed: Bool { if case .sealed = self { true } else { false } }

    /// The text, or `nil` when it is sealed.
    package var inTheClear: String? { if case .plain(let text) = self { text } else { nil } }

    /// The text when it is in the clear; otherwise dots and the first digits of its fingerprint.
    public var shown: String {
        switch self {
        case .plain(let text): text
        case .sealed(let sealed): sealed.description
        }
    }
}

extension OutsideText: ExpressibleByStringLiteral {
    /// Creates text in the clear: a literal in a program is not secret.
    public init(stringLiteral value: String) { self = .plain(value) }
}
