package import EventLog

extension EventType {
    /// What failed shall be done again.
    public static let retryRequested = EventType("retryRequested") { .retryRequested($0) }
}

/// Somebody asked to do again what failed.
public struct RetryRequested: Hashable, Sendable {
    /// Who asked.
    public var by: String

    /// The content of a `retryRequested` event.
    public init(by: String) { self.by = by }
}

extension RetryRequested: ObjectForm {
    package init(_ members: inout some FormPass, _ value: Self?) throws(EventDecodingError) {
        by = try members.require("by", value?.by, mask: .text)
    }
}
