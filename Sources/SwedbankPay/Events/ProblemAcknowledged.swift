public import EventLog

extension EventType {
    /// A problem was acknowledged at the PSP, or the PSP refused the acknowledgement.
    public static let problemAcknowledged = EventType("problemAcknowledged") {
        .problemAcknowledged($0)
    }
}

/// The acknowledgement of a problem, and whether the PSP accepted it.
public struct ProblemAcknowledged: Hashable, Sendable {
    /// The fingerprint of the acknowledging link.
    public var reference: Sealed
    /// False when the PSP refused it and the engine continues without it.
    public var accepted: Bool

    /// Creates the data of a `problemAcknowledged` event.
    public init(reference: Sealed, accepted: Bool) {
        self.reference = reference
        self.accepted = accepted
    }
}

extension ProblemAcknowledged: ObjectForm {
    package init(_ members: inout some FormPass, _ value: Given<Self>?) throws(EventDecodingError) {
        accepted = try members.require("accepted", value?.accepted)
        reference = try members.require("reference", value?.reference)
    }
}
