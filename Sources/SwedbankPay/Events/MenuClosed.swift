public import EventLog

extension EventType {
    /// The menu was left.
    public static let menuClosed = EventType("menuClosed") { .menuClosed($0) }
}

/// The menu was left.
public struct MenuClosed: Hashable, Sendable {
    /// The action.
    public var action: ActionID
    /// How it was left.
    public var outcome: MenuOutcome
    /// What the client said of a failure.
    public var error: OutsideText?
    /// What the page itself said of it; nil where it said nothing.
    public var failure: PageFailure?

    /// The content of a `menuClosed` event.
    public init(
        action: ActionID,
        outcome: MenuOutcome,
        error: OutsideText? = nil,
        failure: PageFailure? = nil
    ) {
        self.action = action
        self.outcome = outcome
        self.error = error
        self.failure = failure
    }
}

extension MenuClosed: ObjectForm {
    package init(_ members: inout some FormPass, _ value: Self?) throws(EventDecodingError) {
        action = try members.require("action", value?.action)
        error = try members.find("error", value?.error, mask: .text)
        failure = try members.find("failure", value?.failure)
        outcome = try members.require("outcome", value?.outcome)
    }
}

/// How the payer left the menu: three different things.
public enum MenuOutcome: String, CaseIterable, Sendable, NameForm {
    /// The page went to the complete URL.
    case completed
    /// The page went to the cancel URL.
    case canceled
    /// The page could not be shown, or gave up.
    case failed
}
