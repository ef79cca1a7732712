public import EventLog
internal import SwedbankPay

/// Whether sealed values are shown.
public enum Disclosure: Sendable {
    /// As dots and the beginning of their fingerprint.
    case masked
    /// In the clear, if the plaintext is available: only for the client that has to act, or on
    /// request.
    case clear(SecretTable)

    /// Returns the displayed form of a sealed value.
    public func text(_ sealed: Sealed) -> String {
        switch self {
        case .masked: sealed.description
        case .clear(let secrets): secrets[sealed] ?? sealed.description
        }
    }

    /// Returns the displayed form of text from outside.
    public func text(_ text: OutsideText?) -> String? {
        switch text {
        case .plain(let plain): plain
        case .sealed(let sealed): self.text(sealed)
        case nil: nil
        }
    }
}
