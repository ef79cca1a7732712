package import EventLog

extension EventType {
    /// The address of a known session was submitted again.
    public static let refetchRequested = EventType("refetchRequested") { .refetchRequested($0) }
}

/// The address of a known session was submitted again, so the session is read again.
public struct RefetchRequested: Hashable, Sendable {
    /// The party that submitted it.
    public var by: String

    /// Creates the data of a `refetchRequested` event.
    public init(by: String) { self.by = by }
}

extension RefetchRequested: ObjectForm {
    package init(_ members: inout some FormPass, _ value: Given<Self>?) throws(EventDecodingError) {
        by = try members.require("by", value?.by)
    }
}
