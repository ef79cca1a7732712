public import EventLog

/// What the PSP's page said when it gave up: its terminal failure, member by member.
///
/// - Note: Source: hosted view scripts and events, `onError`; result of the hosted view, `terminalFailure`.
public struct PageFailure: Hashable, Sendable {
    /// Which part of the page it came from.
    public var origin: OutsideText?
    /// The PSP's name of the message.
    public var messageID: OutsideText?
    /// The explanation, for operators.
    public var details: OutsideText?

    /// A failure with these members.
    public init(
        origin: OutsideText? = nil,
        messageID: OutsideText? = nil,
        details: OutsideText? = nil
    ) {
        self.origin = origin
        self.messageID = messageID
        self.details = details
    }
}

extension PageFailure {
    /// The failure as JSON.
    ///
    /// - Parameter disclosure: Whether text that may quote a secret is shown.
    public func json(disclosing disclosure: Disclosure) -> JSONValue {
        func text(_ text: OutsideText?) -> JSONValue {
            disclosure.text(text).map { .string($0) } ?? .null
        }
        return .object([
            .init("origin", text(origin)), .init("messageId", text(messageID)),
            .init("details", text(details)),
        ])
    }
}
