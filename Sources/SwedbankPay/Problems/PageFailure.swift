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
