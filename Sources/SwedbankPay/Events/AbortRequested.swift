package import EventLog

extension EventType {
    /// The session shall end unpaid.
    public static let abortRequested = EventType("abortRequested") { .abortRequested($0) }
}

/// Somebody asked to end the session unpaid.
public struct AbortRequested: Hashable, Sendable {
    /// Who asked.
    public var by: String

    /// The content of an `abortRequested` event.
    public init(by: String) { self.by = by }
}

extension AbortRequested: ObjectForm {
    package init(_ members: inout some FormPass, _ value: Self?) throws(EventDecodingError) {
        by = try members.require("by", value?.by, mask: .text)
    }
}
