package import EventLog

extension EventType {
    /// The PSP reports that the payment is complete.
    public static let completed = EventType("completed") { .completed($0) }
}

/// The PSP reports that the payment is complete.
public struct Completed: Hashable, Sendable {
    /// The evidence.
    public var evidence: Evidence

    /// The PSP's statement that a `completed` event is based on.
    public enum Evidence: String, CaseIterable, Sendable, NameForm {
        /// The session redirects the payer to the order's complete URL.
        case redirectToCompleteURL
        /// The payment order's status.
        case orderStatus
        /// The client reported that the PSP's page reached the order's complete URL, and the order
        /// could not be read.
        case completeURLReached
    }

    /// Creates the data of a `completed` event.
    public init(evidence: Evidence) { self.evidence = evidence }
}

extension Completed: ObjectForm {
    package init(_ members: inout some FormPass, _ value: Given<Self>?) throws(EventDecodingError) {
        evidence = try members.require("evidence", value?.evidence)
    }
}
