public import EventLog

extension EventType {
    /// A native session of the same order took over.
    public static let handedOver = EventType("handedOver") { .checkout(.handedOver($0)) }
}

/// A native session of the same order took over.
public struct HandedOver: Hashable, Sendable {
    /// That session.
    public var session: SessionID

    /// The content of a `handedOver` event.
    public init(session: SessionID) { self.session = session }
}

extension HandedOver: ObjectForm {
    package init(_ members: inout some FormPass, _ value: Self?) throws(EventDecodingError) {
        session = try members.require("session", value?.session)
    }
}
