public import EventLog

extension EventType {
    /// The PSP was told that we saw a problem, or would not be told.
    public static let problemAcknowledged = EventType("problemAcknowledged") {
        .problemAcknowledged($0)
    }
}

/// What a problem was acknowledged under, and whether the PSP took it.
public struct ProblemAcknowledged: Hashable, Sendable {
    /// The fingerprint of the acknowledging link.
    public var reference: Sealed
    /// False when the PSP would not take it and the engine goes on without.
    public var accepted: Bool

    /// The content of a `problemAcknowledged` event.
    public init(reference: Sealed, accepted: Bool) {
        self.reference = reference
        self.accepted = accepted
    }
}

extension ProblemAcknowledged: ObjectForm {
    package init(_ members: inout some FormPass, _ value: Self?) throws(EventDecodingError) {
        accepted = try members.require("accepted", value?.accepted)
        reference = try members.require("reference", value?.reference)
    }
}
