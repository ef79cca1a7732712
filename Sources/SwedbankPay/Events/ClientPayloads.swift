public import EventLog

/// The identity of a client action, for example `a-12`: stable, and what a report answers.
public struct ActionID: RawRepresentable, Hashable, Sendable {
    /// `a-N`, where N is the position of the event that requested the action.
    public let rawValue: String

    /// The action of that name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The action requested by the event at that position.
    public init(requestedAt sequence: Int64) { rawValue = "a-\(sequence)" }
}

/// What a task is recognised by, so that each is asked of the client once.
///
/// It is derived from the attempt's number, the operation's and the task's names, the task's address and its
/// values; not from the operation's address, which a PSP may change with each answer.
public struct TaskKey: Hashable, Sendable {
    /// SHA-256 over these parts.
    public var digest: Digest256

    /// A key of that digest.
    public init(digest: Digest256) { self.digest = digest }
}

/// The client was asked to perform a task of a snapshot.
public struct TaskRequested: Hashable, Sendable {
    /// The action that the client answers.
    public var action: ActionID
    /// The task.
    public var key: TaskKey
    /// The attempt that it belongs to; nothing when none of ours is running.
    public var attempt: Int?
    /// The task itself: address and fields, sealed.
    public var task: IntegrationTask
    /// Where the challenge's result is posted to, for 3-D Secure.
    public var notificationURL: Sealed?

    /// The content of a request for a task.
    public init(
        action: ActionID,
        key: TaskKey,
        attempt: Int?,
        task: IntegrationTask,
        notificationURL: Sealed? = nil
    ) {
        self.action = action
        self.key = key
        self.attempt = attempt
        self.task = task
        self.notificationURL = notificationURL
    }
}

/// The client was asked to open another app.
public struct ExternalAppRequested: Hashable, Sendable {
    /// The request for the task.
    public var request: TaskRequested
    /// The payment URL that the link must carry as `callbackurl`; nothing when it carries none.
    public var callbackURL: OutsideText?

    /// The content of an `externalAppRequested` event.
    public init(request: TaskRequested, callbackURL: OutsideText?) {
        self.request = request
        self.callbackURL = callbackURL
    }
}

/// The client answered an action.
public struct ActionAnswered: Hashable, Sendable {
    /// The action.
    public var action: ActionID

    /// An answer to that action.
    public init(action: ActionID) { self.action = action }
}

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

/// How the invisible 3-D Secure method call ended.
///
/// Source: payment session API, 3DS method result.
public enum CompletionIndicator: String, Hashable, Sendable {
    /// The call was made.
    case completed = "Y"
    /// It failed.
    case failed = "N"
    /// Nobody knows.
    case unknown = "U"
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

/// The challenge gave a result.
public struct ThreeDSCompleted: Hashable, Sendable {
    /// The action.
    public var action: ActionID
    /// The challenge response.
    public var cRes: Sealed

    /// The content of a `threeDSCompleted` event.
    public init(action: ActionID, cRes: Sealed) {
        self.action = action
        self.cRes = cRes
    }
}

/// The client was asked to present a wallet.
public struct WalletRequested: Hashable, Sendable {
    /// The request for the task.
    public var request: TaskRequested
    /// Apple Pay or Google Pay.
    public var method: PaymentMethodName

    /// The content of a `walletRequested` event.
    public init(request: TaskRequested, method: PaymentMethodName) {
        self.request = request
        self.method = method
    }
}

/// The payer authorised in the wallet.
public struct WalletAuthorized: Hashable, Sendable {
    /// The action.
    public var action: ActionID
    /// The wallet's token.
    public var payload: Sealed

    /// The content of a `walletAuthorized` event.
    public init(action: ActionID, payload: Sealed) {
        self.action = action
        self.payload = payload
    }
}

/// The payer chose to pay on the PSP's own page.
public struct MenuChosen: Hashable, Sendable {
    /// What the page shall show.
    public var mode: MenuMode

    /// The content of a `menuChosen` event.
    public init(mode: MenuMode) { self.mode = mode }
}

/// The client was asked to show the PSP's menu.
public struct MenuRequested: Hashable, Sendable {
    /// The action that the client answers.
    public var action: ActionID
    /// What the menu shows.
    public var mode: MenuMode
    /// The menu's script.
    public var script: Sealed

    /// The content of a `menuRequested` event.
    public init(action: ActionID, mode: MenuMode, script: Sealed) {
        self.action = action
        self.mode = mode
        self.script = script
    }
}

/// What the PSP's menu shows.
public enum MenuMode: Hashable, Sendable {
    /// All methods of the order.
    case menu
    /// These methods.
    case restricted([PaymentMethodName])
    /// One method, without a menu.
    case instrument(PaymentMethodName)
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

/// How the payer left the menu: three different things.
public enum MenuOutcome: String, Hashable, Sendable {
    /// The page went to the complete URL.
    case completed
    /// The page went to the cancel URL.
    case canceled
    /// The page could not be shown, or gave up.
    case failed
}
