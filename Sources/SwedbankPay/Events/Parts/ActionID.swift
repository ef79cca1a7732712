/// The identity of a client action, for example `a-12`: stable, and what a report answers.
public struct ActionID: RawRepresentable, Hashable, Sendable {
    /// `a-N`, where N is the position of the event that requested the action.
    public let rawValue: String

    /// The action of that name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The action requested by the event at that position.
    public init(requestedAt sequence: Int64) { rawValue = "a-\(sequence)" }
}

extension ActionID: NameForm {
    package static func sample(by sampler: inout FormSampler) -> ActionID {
        ActionID(requestedAt: .sample(by: &sampler))
    }
}
