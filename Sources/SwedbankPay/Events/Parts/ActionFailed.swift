public import EventLog

/// The client could not perform an action.
public struct ActionFailed: Hashable, Sendable {
    /// The action.
    public var action: ActionID
    /// What the client said of it.
    public var error: OutsideText?

    /// A failure of that action.
    public init(action: ActionID, error: OutsideText? = nil) {
        self.action = action
        self.error = error
    }
}

extension ActionFailed: ObjectForm {
    package init(_ members: inout some FormPass, _ value: Self?) throws(EventDecodingError) {
        action = try members.require("action", value?.action)
        error = try members.find("error", value?.error, mask: .text)
    }
}
