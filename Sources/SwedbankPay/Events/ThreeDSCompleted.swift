public import EventLog

extension EventType {
    /// The challenge returned a result.
    public static let threeDSCompleted = EventType("threeDSCompleted") { .threeDSCompleted($0) }
}

/// The challenge returned a result.
public struct ThreeDSCompleted: Hashable, Sendable {
    /// The action.
    public var action: ActionID
    /// The challenge response.
    public var cRes: Sealed

    /// Creates the data of a `threeDSCompleted` event.
    public init(action: ActionID, cRes: Sealed) {
        self.action = action
        self.cRes = cRes
    }
}

extension ThreeDSCompleted: ObjectForm {
    package init(_ members: inout some FormPass, _ value: Given<Self>?) throws(EventDecodingError) {
        action = try members.require("action", value?.action)
        cRes = try members.require("cRes", value?.cRes)
    }
}
