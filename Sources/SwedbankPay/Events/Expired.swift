package import EventLog

extension EventType {
    /// The session was not finished in time.
    public static let expired = EventType("expired") { .expired($0) }
}

/// The session was not finished in time.
public struct Expired: Hashable, Sendable {
    /// The reason.
    public var reason: Reason

    /// Why a session expires.
    public enum Reason: String, CaseIterable, Sendable, NameForm {
        /// The PSP no longer knows the session.
        case goneAtPSP
        /// It was open for longer than the engine's limit.
        case lifetime
    }

    /// Creates the data of an `expired` event.
    public init(reason: Reason) { self.reason = reason }
}

extension Expired: ObjectForm {
    package init(_ members: inout some FormPass, _ value: Given<Self>?) throws(EventDecodingError) {
        reason = try members.require("reason", value?.reason)
    }
}
