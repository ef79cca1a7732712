package import EventLog

extension EventType {
    /// The session is to end unpaid.
    public static let abortRequested = EventType("abortRequested") { .abortRequested($0) }
}

/// A request to end the session unpaid.
public struct AbortRequested: Hashable, Sendable {
    /// The party that requested it.
    public var by: String

    /// Creates the data of an `abortRequested` event.
    public init(by: String) { self.by = by }
}

extension AbortRequested: ObjectForm {
    package init(_ members: inout some FormPass, _ value: Given<Self>?) throws(EventDecodingError) {
        by = try members.require("by", value?.by)
    }
}
