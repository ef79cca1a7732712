internal import EventLog
internal import Workflow

/// The path of a payment order, which identifies it and grants no access by itself.
///
/// - Note: Source: payment order API, payment order model; merchant backend API, flaws: only ids,
///   never addresses.
public struct OrderPath: Hashable, Sendable {
    /// The path, for example `/psp/paymentorders/…`.
    public let text: String
    /// The host of the address that it was read from; `nil` for a path alone.
    public let host: String?

    /// Reads the path from an order's address, or from the path alone; `nil` for anything else.
    public init?(_ text: String) {
        guard !text.hasPrefix("/") else {
            guard Self.isPath(text) else { return nil }
            (self.text, host) = (text, nil)
            return
        }
        guard let parts = AddressParts(text), ["https", "http"].contains(parts.scheme),
            parts.userinfo == nil, let host = parts.host, Self.isPath(parts.path)
        else { return nil }
        (self.text, self.host) = (parts.path, host)
    }

    /// Whether a text is the path of a payment order.
    package static func isPath(_ text: String) -> Bool {
        let prefix = "/psp/paymentorders/"
        guard text.hasPrefix(prefix) else { return false }
        let id = text.utf8.dropFirst(prefix.utf8.count)
        return (1...64).contains(id.count)
            && id.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || $0 == UInt8(ascii: "-") }
    }

    /// Refuses the address of an order at another host than the one that created the session's.
    package func check(against state: SessionState) throws(EngineError) {
        guard let host, let opening = state.checkout?.opening, opening.gateway == .psp,
            host != opening.host
        else { return }
        throw .rejected(.foreignOrder)
    }
}
