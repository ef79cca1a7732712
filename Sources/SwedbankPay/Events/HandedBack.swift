public import EventLog

extension EventType {
    /// The native session ended, or handed the order back.
    public static let handedBack = EventType("handedBack") { .checkout(.handedBack($0)) }
}

/// A native session ended, or handed the order back.
public struct HandedBack: Hashable, Sendable {
    /// The native session.
    public var session: SessionID
    /// The outcome; `nil` when the payer only returns to the PSP's page.
    public var outcome: Outcome?

    /// Creates the data of a `handedBack` event.
    public init(session: SessionID, outcome: Outcome?) {
        self.session = session
        self.outcome = outcome
    }
}

extension HandedBack: ObjectForm {
    package init(_ members: inout some FormPass, _ value: Given<Self>?) throws(EventDecodingError) {
        outcome = try members.find("outcome", value?.outcome)
        session = try members.require("session", value?.session)
    }
}
