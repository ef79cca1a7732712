package import EventLog

extension EventType {
    /// The method call ended.
    public static let threeDSMethodCompleted = EventType("threeDSMethodCompleted") {
        .threeDSMethodCompleted($0)
    }
}

/// The 3-D Secure method call ended.
public struct ThreeDSMethodCompleted: Hashable, Sendable {
    /// The action.
    public var action: ActionID
    /// How it ended.
    public var indicator: CompletionIndicator
    /// Whether the time limit ended it.
    public var timedOut: Bool

    /// The content of a `threeDSMethodCompleted` event.
    public init(action: ActionID, indicator: CompletionIndicator, timedOut: Bool = false) {
        self.action = action
        self.indicator = indicator
        self.timedOut = timedOut
    }
}

extension ThreeDSMethodCompleted: ObjectForm {
    package init(_ members: inout some FormPass, _ value: Self?) throws(EventDecodingError) {
        action = try members.require("action", value?.action)
        indicator = try members.require("indicator", value?.indicator)
        timedOut = try members.require("timedOut", value?.timedOut)
    }
}

/// How the invisible 3-D Secure method call ended.
///
/// Source: payment session API, 3DS method result.
public enum CompletionIndicator: String, CaseIterable, Sendable, NameForm {
    /// The call was made.
    case completed = "Y"
    /// It failed.
    case failed = "N"
    /// Nobody knows.
    case unknown = "U"
}
