public import EventLog

extension EventType {
    /// The order was handed over to a native session.
    public static let handedOver = EventType("handedOver") { .checkout(.handedOver($0)) }
}

/// The order was handed over to a native session.
public struct HandedOver: Hashable, Sendable {
    /// The native session.
    public var session: SessionID

    /// Creates the data of a `handedOver` event.
    public init(session: SessionID) { self.session = session }
}

extension HandedOver: ObjectForm {
    package init(_ members: inout some FormPass, _ value: Given<Self>?) throws(EventDecodingError) {
        session = try members.require("session", value?.session)
    }
}
