package import EventLog

/// The client reported on an action.
public struct ActionReported: Hashable, Sendable {
    /// The action.
    public var action: ActionID

    /// Creates the data of a report on that action.
    public init(action: ActionID) { self.action = action }
}

extension ActionReported: ObjectForm {
    package init(_ members: inout some FormPass, _ value: Given<Self>?) throws(EventDecodingError) {
        action = try members.require("action", value?.action)
    }
}
