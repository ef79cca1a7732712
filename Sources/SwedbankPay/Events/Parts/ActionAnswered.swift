package import EventLog

/// The client answered an action.
public struct ActionAnswered: Hashable, Sendable {
    /// The action.
    public var action: ActionID

    /// An answer to that action.
    public init(action: ActionID) { self.action = action }
}

extension ActionAnswered: ObjectForm {
    package init(_ members: inout some FormPass, _ value: Self?) throws(EventDecodingError) {
        action = try members.require("action", value?.action)
    }
}
