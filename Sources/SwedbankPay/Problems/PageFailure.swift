public import EventLog

/// The terminal failure that the PSP's page reported, member by member.
///
/// - Note: Source: hosted view scripts and events, `onError`; result of the hosted view,
///   `terminalFailure`.
public struct PageFailure: Hashable, Sendable {
    /// The part of the page that it occurred in.
    public var origin: OutsideText?
    /// The PSP's identifier of the message.
    public var messageID: OutsideText?
    /// The explanation, for operators.
    public var details: OutsideText?

    /// Creates a failure with these members.
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
