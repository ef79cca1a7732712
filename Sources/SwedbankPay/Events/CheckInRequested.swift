public import EventLog

extension EventType {
    /// The client was asked to show the check-in.
    public static let checkInRequested = EventType("checkInRequested") {
        .checkout(.checkInRequested($0))
    }
}

/// The client was asked to show the check-in.
public struct CheckInRequested: Hashable, Sendable {
    /// The action that the client reports on.
    public var action: ActionID
    /// The check-in's script.
    public var script: Sealed

    /// Creates the data of a `checkInRequested` event.
    public init(action: ActionID, script: Sealed) {
        self.action = action
        self.script = script
    }
}

extension CheckInRequested: ObjectForm {
    package init(_ members: inout some FormPass, _ value: Given<Self>?) throws(EventDecodingError) {
        action = try members.require("action", value?.action)
        script = try members.require("script", value?.script)
    }
}
