package import EventLog

extension EventType {
    /// The PSP says that it is paid.
    public static let completed = EventType("completed") { .completed($0) }
}

/// The PSP says that the payment is done.
public struct Completed: Hashable, Sendable {
    /// How we know.
    public var evidence: Evidence

    /// The PSP's word that a `completed` event rests on.
    public enum Evidence: String, CaseIterable, Sendable, NameForm {
        /// The session redirects the payer to the order's complete URL.
        case redirectToCompleteURL
        /// The payment order's status says so.
        case orderStatus
        /// The PSP's page went to the order's complete URL, by the client's account, and nobody could read the order.
        case completeURLReached
    }

    /// The content of a `completed` event.
    public init(evidence: Evidence) { self.evidence = evidence }
}

extension Completed: ObjectForm {
    package init(_ members: inout some FormPass, _ value: Self?) throws(EventDecodingError) {
        evidence = try members.require("evidence", value?.evidence)
    }
}
