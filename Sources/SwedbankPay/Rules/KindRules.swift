internal import EventLog
internal import Workflow

/// The next step in a session.
typealias Step = NextStep<SessionDecider>

/// The rules of one kind of session.
///
/// What both kinds decide in the same way is implemented once, in extensions of this protocol; each
/// kind implements the rest.
protocol KindRules: Sendable {
    /// The fold of this kind's events.
    associatedtype State: SessionPart

    /// The catalogue and the limits.
    var policy: Policy { get }

    /// The next step: the first rule that applies.
    func next(in state: State) -> Step
    /// The phase of a session that does not wait for a client.
    func phase(of state: State, _ next: Step) -> Phase

    // MARK: Commands

    /// Throws when the log has no room for the events of a command.
    func checkRoom(for command: SessionCommand, in state: State) throws(Rejection)
    func startAttempt(
        _ request: ChoiceRequest,
        in state: State
    ) throws(Rejection) -> [SessionEvent]
    func present(_ mode: MenuMode, in state: State) throws(Rejection) -> [SessionEvent]
    func retry(by who: String, in state: State) throws(Rejection) -> [SessionEvent]
    func refetch(by who: String, in state: State) -> [SessionEvent]
    func abort(by who: String, in state: State) throws(Rejection) -> [SessionEvent]
    /// Throws unless an operator may tell the session which order it created.
    func mayAdopt(_ order: String, in state: State) throws(Rejection)
    func receive(
        _ callback: CallbackReceived,
        in state: State,
        at now: Instant
    ) throws(Rejection) -> [SessionEvent]
    func facts(of command: CheckoutCommand, in state: State) throws(Rejection) -> [SessionEvent]

    // MARK: Responses

    /// Whether the outcome of a request still matters.
    func awaitsResponses(in state: State) -> Bool
    /// The content of a successful response.
    func content(
        of outcome: ProviderResponse.Outcome,
        to request: Request,
        after duration: Int64,
        in state: State
    ) -> UsableContent
    /// The events that follow immediately from a request that succeeded.
    func consequences(of succeeded: Request, in state: State) -> [SessionEvent]
    /// The events that follow immediately from a definite refusal.
    func consequences(of failed: OperationFailed, in state: State) -> [SessionEvent]
    /// Whether the engine retries by itself after a refusal.
    func isTransient(
        _ status: Int,
        _ document: ProblemDocument,
        _ rel: Rel,
        in state: State
    ) -> Bool

    // MARK: Time

    /// The timers that only this kind has.
    func ownTimers(in state: State) -> [(timer: SessionTimer, until: Instant)]
    /// Whether the session may expire because of its age.
    func mayExpire(_ state: State) -> Bool
    /// The events for a report about an open page that does not complete the action; `nil` for a
    /// report that does.
    func notes(
        of outcome: ReportOutcome,
        to action: ClientAction,
        in state: State
    ) throws(Rejection) -> [SessionEvent]?
}

/// The content of a successful response.
enum UsableContent {
    /// Events to record.
    case facts([SessionEvent])
    /// The response concerns another payment.
    case foreign(Contradiction)
    /// No usable content.
    case unusable
    /// A kind of response that this kind of session never requests.
    case stray
}

/// How a response contradicts what is known of the payment; the raw value is the error's code.
package enum Contradiction: String {
    /// It names another identifier, number, reference or address.
    case payment = "answer.foreign"
    /// It names another currency.
    case currency = "answer.other-currency"
}

/// The request that a response belongs to.
struct Request {
    var effect: EffectID
    var rel: Rel
    var tryNumber: Int
}

extension KindRules {
    /// The limits.
    var limits: SessionLimits { policy.limits }

    /// The advice on a problem document received with a status.
    func advice(on document: ProblemDocument?, _ status: Int?, in state: State) -> ProblemAdvice {
        policy.advice(on: document, status, with: state.payingInstrument)
    }

    /// The events that result from an input.
    func facts(
        of input: SessionInput,
        in state: State,
        _ next: () -> Step,
        at now: Instant
    ) throws(Rejection) -> [SessionEvent] {
        switch input {
        case .command(let command): return try facts(of: command, in: state, at: now)
        case .report(let report): return try facts(of: report, in: state)
        case .starting(let effect): return start(of: effect, in: state, next())
        case .requestEnded(let effect, let outcome, let duration, let retryAt):
            return facts(
                of: outcome,
                to: effect,
                after: duration,
                retryAt: retryAt,
                in: state,
                next
            )
        case .interrupted(let effect, let retryAt):
            return interruption(of: effect, retryAt: retryAt, in: state)
        case .timerFired(let timer): return facts(of: timer, in: state, next, at: now)
        case .resumed: return []
        }
    }
}
