public import EventLog

/// The client could not perform an action.
public struct ActionFailed: Hashable, Sendable {
    /// The action.
    public var action: ActionID
    /// The client's text about the failure.
    public var error: OutsideText?

    /// Creates the data of a failure of that action.
    public init(action: ActionID, error: OutsideText? = nil) {
        self.action = action
        self.error = error
    }
}

extension ActionFailed: ObjectForm {
    package init(_ members: inout some FormPass, _ value: Given<Self>?) throws(EventDecodingError) {
        action = try members.require("action", value?.action)
        error = try members.find("error", value?.error)
    }
}
