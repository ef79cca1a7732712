public import EventLog

extension EventType {
    /// That session ended, or handed the order back.
    public static let handedBack = EventType("handedBack") { .checkout(.handedBack($0)) }
}

/// A native session ended, or handed the order back.
public struct HandedBack: Hashable, Sendable {
    /// The native session.
    public var session: SessionID
    /// How it ended; `nil` when the payer only wants the PSP's page again.
    public var outcome: Outcome?

    /// Creates the data of a `handedBack` event.
    public init(session: SessionID, outcome: Outcome?) {
        self.session = session
        self.outcome = outcome
    }
}

extension HandedBack: ObjectForm {
    package init(_ members: inout some FormPass, _ value: Self?) throws(EventDecodingError) {
        outcome = try members.find("outcome", value?.outcome)
        session = try members.require("session", value?.session)
    }
}
