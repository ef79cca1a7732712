package import EventLog

extension EventType {
    /// The session ended unpaid, in good order.
    public static let canceled = EventType("canceled") { .canceled($0) }
}

/// The session ended unpaid, in good order.
public struct Canceled: Hashable, Sendable {
    /// Who ended it.
    public var by: Party

    /// Who can end a session.
    public enum Party: String, CaseIterable, Sendable, NameForm {
        /// Somebody asked for it through this engine.
        case client
        /// The PSP reported it without our asking.
        case psp
        /// The payer left the PSP's page by its cancel URL.
        case payer
    }

    /// The content of a `canceled` event.
    public init(by: Party) { self.by = by }
}

extension Canceled: ObjectForm {
    package init(_ members: inout some FormPass, _ value: Self?) throws(EventDecodingError) {
        by = try members.require("by", value?.by)
    }
}
