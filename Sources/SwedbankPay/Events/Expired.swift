package import EventLog

extension EventType {
    /// The session was not finished in time.
    public static let expired = EventType("expired") { .expired($0) }
}

/// The session was not finished in time.
public struct Expired: Hashable, Sendable {
    /// Why.
    public var reason: Reason

    /// What makes a session expire.
    public enum Reason: String, CaseIterable, Sendable, NameForm {
        /// The PSP does not know the session any more.
        case goneAtPSP
        /// It was open for longer than the engine's limit.
        case lifetime
    }

    /// The content of an `expired` event.
    public init(reason: Reason) { self.reason = reason }
}

extension Expired: ObjectForm {
    package init(_ members: inout some FormPass, _ value: Self?) throws(EventDecodingError) {
        reason = try members.require("reason", value?.reason)
    }
}
