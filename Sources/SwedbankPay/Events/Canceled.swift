package import EventLog

extension EventType {
    /// The session ended unpaid in an orderly way.
    public static let canceled = EventType("canceled") { .canceled($0) }
}

/// The session ended unpaid in an orderly way.
public struct Canceled: Hashable, Sendable {
    /// The party that ended it.
    public var by: Party

    /// A party that can end a session.
    public enum Party: String, CaseIterable, Sendable, NameForm {
        /// The host, through this engine.
        case client
        /// The PSP, without a request from us.
        case psp
        /// The payer, by leaving the PSP's page through its cancel URL.
        case payer
    }

    /// Creates the data of a `canceled` event.
    public init(by: Party) { self.by = by }
}

extension Canceled: ObjectForm {
    package init(_ members: inout some FormPass, _ value: Given<Self>?) throws(EventDecodingError) {
        by = try members.require("by", value?.by)
    }
}
