package import EventLog

extension EventType {
    /// A failed request is to be retried.
    public static let retryRequested = EventType("retryRequested") { .retryRequested($0) }
}

/// A request to retry what failed.
public struct RetryRequested: Hashable, Sendable {
    /// The party that requested it.
    public var by: String

    /// Creates the data of a `retryRequested` event.
    public init(by: String) { self.by = by }
}

extension RetryRequested: ObjectForm {
    package init(_ members: inout some FormPass, _ value: Given<Self>?) throws(EventDecodingError) {
        by = try members.require("by", value?.by)
    }
}
