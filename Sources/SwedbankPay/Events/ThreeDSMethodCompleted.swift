package import EventLog

extension EventType {
    /// The 3-D Secure method request ended.
    public static let threeDSMethodCompleted = EventType("threeDSMethodCompleted") {
        .threeDSMethodCompleted($0)
    }
}

/// The 3-D Secure method request ended.
public struct ThreeDSMethodCompleted: Hashable, Sendable {
    /// The action.
    public var action: ActionID
    /// How it ended.
    public var indicator: CompletionIndicator
    /// Whether the time limit ended it.
    public var timedOut: Bool

    /// Creates the data of a `threeDSMethodCompleted` event.
    public init(action: ActionID, indicator: CompletionIndicator, timedOut: Bool = false) {
        self.action = action
        self.indicator = indicator
        self.timedOut = timedOut
    }
}

extension ThreeDSMethodCompleted: ObjectForm {
    package init(_ members: inout some FormPass, _ value: Given<Self>?) throws(EventDecodingError) {
        action = try members.require("action", value?.action)
        indicator = try members.require("indicator", value?.indicator)
        timedOut = try members.require("timedOut", value?.timedOut)
    }
}

/// How the invisible 3-D Secure method request ended.
///
/// - Note: Source: payment session API, 3DS method result.
public enum CompletionIndicator: String, CaseIterable, Sendable, NameForm {
    /// The request was sent.
    case completed = "Y"
    /// It failed.
    case failed = "N"
    /// The result is not known.
    case unknown = "U"
}
