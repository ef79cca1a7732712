public import EventLog
public import Workflow

/// A command to a session: a request that the rules may reject.
public enum SessionCommand: Hashable, Sendable {
    /// Open a session.
    case open(Opened)
    /// Start an attempt to pay.
    case attempt(ChoiceRequest)
    /// Pay on the PSP's own page: a menu of methods, or one of them.
    case menu(MenuMode)
    /// The payer returned with an address; the form of the payment URL that it has, if any.
    case returned(ReturnForm?)
    /// Retry the failed request.
    case retry(by: String)
    /// Read the session again, because its address was submitted again.
    case refetch(by: String)
    /// Abort the session at the PSP.
    case abort(by: String)
    /// The PSP sent a callback to the merchant's callback URL about this session's order.
    case callback(CallbackReceived)
    /// A command that only checkouts accept.
    case checkout(CheckoutCommand)
    /// End a session that can never settle, as an operator decided.
    case close(OperatorActed)
    /// Record that an operator read sealed values or intervened.
    case recordOperator(OperatorActed)
}

/// The client's report about an action.
public struct ActionReport: Hashable, Sendable {
    /// The action.
    public var action: ActionID
    /// The outcome.
    public var outcome: ReportOutcome

    /// Creates a report on that action.
    public init(action: ActionID, outcome: ReportOutcome) {
        self.action = action
        self.outcome = outcome
    }
}

/// The outcomes that client actions can have.
public enum ReportOutcome: Hashable, Sendable {
    /// The app was opened.
    case launched
    /// The app could not be opened.
    case launchFailed
    /// The page is shown.
    case shown
    /// The 3-D Secure method request was sent.
    case done
    /// It failed; the client's error text.
    case failed(error: OutsideText?)
    /// The PSP's page failed; what it reported.
    case pageFailed(PageFailure)
    /// The challenge returned a result.
    case challengeCompleted(cRes: Sealed)
    /// The wallet was authorized.
    case authorized(payload: Sealed)
    /// The menu navigated to the complete URL.
    case completed
    /// The payer closed it.
    case canceled
    /// The payer was identified.
    case checkedIn(consumerProfileRef: Sealed)
    /// The page led the payer elsewhere; the action remains open, and so does the page.
    case navigated(destination: String?, Navigated.Place, url: Sealed? = nil)
    /// The page redirected the payer to a bank or an app; the action and the page remain open.
    case leftForExternalContent(destination: String?, Navigated.Place, url: Sealed? = nil)
    /// The payer opened the merchant's terms; the action remains open, and so does the page.
    case openedTermsOfService
    /// The time limit passed without a report.
    case timedOut
}

/// The inputs of the rules of one session.
public enum SessionInput: WorkflowInput {
    /// A command.
    case command(SessionCommand)
    /// A report of the client.
    case report(ActionReport)
    /// The engine is about to perform the pending request that changes something.
    case starting(EffectID)
    /// A request ended; `retryAt` says when to continue if it failed.
    indirect case requestEnded(
        EffectID,
        ProviderResponse.Outcome,
        durationMilliseconds: Int64,
        retryAt: Instant
    )
    /// The process that performed a request has ended, and the response is lost with it.
    case interrupted(EffectID, retryAt: Instant)
    /// A time that the state waits for has come.
    case timerFired(SessionTimer)
    /// No new input: apply the rules to the current state.
    case resumed
}

/// The times that a state may wait for.
public enum SessionTimer: WorkflowTimer {
    /// The ten seconds of the 3-D Secure method request have passed.
    case methodLimit(ActionID)
    /// The attempt's time limit has passed.
    case attemptLimit(number: Int)
    /// The time limit of the PSP's page has passed; the page was requested by the event with this
    /// sequence number.
    case menuLimit(chosenAt: SequenceNumber)
    /// The session has been open for the maximum time.
    case sessionLimit

    /// The name that the log records as the cause.
    public var name: String {
        switch self {
        case .methodLimit: "methodLimit"
        case .attemptLimit: "attemptLimit"
        case .menuLimit: "menuLimit"
        case .sessionLimit: "sessionLimit"
        }
    }
}
