public import EventLog
internal import SwedbankPay

/// How sealed values are shown.
public enum Disclosure: Sendable {
    /// As dots and the beginning of their fingerprint.
    case masked
    /// In the clear, where the plaintext is at hand: only for the client that has to act, or when asked for.
    case clear(SecretTable)

    /// How a sealed value is shown.
    public func text(_ sealed: Sealed) -> String {
        switch self {
        case .masked: sealed.description
        case .clear(let secrets): secrets[sealed] ?? sealed.description
        }
    }

    /// How text from outside is shown.
    public func text(_ text: OutsideText?) -> String? {
        switch text {
        case .plain(let plain): plain
        case .sealed(let sealed): self.text(sealed)
        case nil: nil
        }
    }
}
