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
    /// The client's text about a failure.
    public var error: OutsideText?
    /// The page's own report of the failure; `nil` when there was none.
    public var failure: PageFailure?

    /// Creates the data of a `menuClosed` event.
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
    package init(_ members: inout some FormPass, _ value: Given<Self>?) throws(EventDecodingError) {
        action = try members.require("action", value?.action)
        error = try members.find("error", value?.error)
        failure = try members.find("failure", value?.failure)
        outcome = try members.require("outcome", value?.outcome)
    }
}

/// How the payer left the menu.
public enum MenuOutcome: String, CaseIterable, Sendable, NameForm {
    /// The page reached the complete URL.
    case completed
    /// The page reached the cancel URL.
    case canceled
    /// The page could not be shown, or failed.
    case failed
}
