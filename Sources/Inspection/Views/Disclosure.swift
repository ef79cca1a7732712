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

    /// Returns a sealed value as it is given to the client.
    func shown(_ sealed: Sealed) -> ShownText {
        guard case .clear(let secrets) = self, let text = secrets[sealed] else {
            return ShownText(text: sealed.description, isMasked: true)
        }
        return ShownText(text: text)
    }

    /// Returns text from outside as it is given to the client.
    func shown(_ text: OutsideText?) -> ShownText? {
        switch text {
        case .plain(let plain): ShownText(text: plain)
        case .sealed(let sealed): shown(sealed)
        case nil: nil
        }
    }
}

/// A text for the client: the value, or what is shown in its place.
public struct ShownText: Hashable, Sendable {
    /// What is shown.
    public var text: String
    /// Whether that is only a mask.
    public var isMasked = false

    /// The value; `nil` when it is masked.
    public var clear: String? { isMasked ? nil : text }

    init(text: String, isMasked: Bool = false) {
        self.text = text
        self.isMasked = isMasked
    }
}
