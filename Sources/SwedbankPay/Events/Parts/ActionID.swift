public import EventLog

/// The identifier of a client action, for example `a-12`: stable, and named by the client's report.
public struct ActionID: RawRepresentable, Hashable, Sendable {
    /// `a-N`, where N is the sequence number of the event that requested the action.
    public let rawValue: String

    /// Creates the identifier with that name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Creates the identifier of the action requested by the event with that sequence number.
    public init(requestedAt sequence: SequenceNumber) { rawValue = "a-\(sequence)" }
}

extension ActionID: NameForm {
    package static func sample(by sampler: inout FormSampler) -> ActionID {
        ActionID(requestedAt: .sample(by: &sampler))
    }
}
