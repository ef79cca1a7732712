public import EventLog
public import Workflow

/// What the outside asks of a session: a wish that may be refused.
public enum SessionCommand: Hashable, Sendable {
    /// Take in a session.
    case open(Opened)
    /// Start an attempt to pay.
    case attempt(ChoiceRequest)
    /// Pay on the PSP's own page: a menu of methods, or one of them.
    case menu(MenuMode)
    /// The payer came back with an address; which form of the payment URL it is, if it is one.
    case returned(ReturnForm?)
    /// Do again what failed in a retryable way.
    case retry(by: String)
    /// Read the session anew, since its address was given again.
    case refetch(by: String)
    /// Give up the session at the PSP.
    case abort(by: String)
    /// The PSP called the merchant's callback URL about this session's order.
    case callback(CallbackReceived)
    /// What only checkouts can be asked, or told.
    case checkout(CheckoutCommand)
    /// End a session that can never settle, as a person decided.
    case close(OperatorActed)
    /// Record that a person looked at sealed values or intervened.
    case recordOperator(OperatorActed)
}

/// What the client did about an action.
public struct ClientReport: Hashable, Sendable {
    /// The action.
    public var action: ActionID
    /// What came of it.
    public var outcome: ReportOutcome

    /// A report on that action.
    public init(action: ActionID, outcome: ReportOutcome) {
        self.action = action
        self.outcome = outcome
    }
}

/// The answers that client actions can have.
public enum ReportOutcome: Hashable, Sendable {
    /// The app was opened.
    case launched
    /// The app could not be opened.
    case launchFailed
    /// The page is on the screen.
    case shown
    /// The 3-D Secure method call was made.
    case done
    /// It failed; what the client said of it.
    case failed(error: OutsideText?)
    /// The PSP's page gave up; what it said.
    case pageFailed(PageFailure)
    /// The challenge gave a result.
    case challengeCompleted(cRes: Sealed)
    /// The wallet was authorised.
    case authorized(payload: Sealed)
    /// The menu went to the complete URL.
    case completed
    /// The payer closed it.
    case canceled
    /// The payer was identified.
    case checkedIn(consumerProfileRef: Sealed)
    /// The page led the payer elsewhere; no answer, the page stays open.
    case navigated(destination: String?, Navigated.Place, url: Sealed? = nil)
    /// The page sent the payer to a bank or an app; no answer, the page stays open.
    case leftForExternalContent(destination: String?, Navigated.Place, url: Sealed? = nil)
    /// The payer asked for the merchant's terms; no answer, the page stays open.
    case openedTermsOfService
    /// The time limit passed without an answer.
    case timedOut
}

/// What reaches the rules of one session.
public enum SessionInput: WorkflowInput {
    /// A wish of the outside.
    case command(SessionCommand)
    /// What the client did.
    case report(ClientReport)
    /// The engine is about to perform the owed request that changes something.
    case starting(EffectID)
    /// A request came to an end; when to go on, should it have failed.
    indirect case answered(
        EffectID,
        ProviderAnswer.Outcome,
        durationMilliseconds: Int64,
        retryAt: Instant
    )
    /// The process that performed a request is gone, and with it the answer.
    case interrupted(EffectID, retryAt: Instant)
    /// A point in time that the state waits for has come.
    case timerFired(SessionTimer)
    /// Nothing new: apply the rules to the state as it is.
    case resumed
}

/// The points in time that a state may wait for.
public enum SessionTimer: WorkflowTimer {
    /// The 3-D Secure method call has had its ten seconds.
    case methodLimit(ActionID)
    /// The attempt has had its time.
    case attemptLimit(number: Int)
    /// The PSP's page, which the wish at that place of the log asked for, has had its time.
    case menuLimit(chosenAt: Int64)
    /// The session has been open for as long as sessions may be.
    case sessionLimit

    /// The name that a log's cause carries.
    public var name: String {
        switch self {
        case .methodLimit: "methodLimit"
        case .attemptLimit: "attemptLimit"
        case .menuLimit: "menuLimit"
        case .sessionLimit: "sessionLimit"
        }
    }
}
