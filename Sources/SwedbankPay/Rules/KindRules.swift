internal import EventLog
internal import Workflow

/// What comes next in a session.
typealias Step = NextStep<SessionDecider>

/// The rules of one kind of session.
///
/// What both kinds decide alike is written once, in extensions of this; each kind says what is its own.
protocol KindRules: Sendable {
    /// The fold of this kind's events.
    associatedtype State: SessionPart

    /// The catalogue and the bounds.
    var policy: Policy { get }

    /// What comes next: the first rule that fits.
    func next(in state: State) -> Step
    /// Where a session stands that waits for no client.
    func phase(of state: State, _ next: Step) -> Phase

    // MARK: Commands

    /// Throws when the log has no room for what a command brings.
    func checkRoom(for command: SessionCommand, in state: State) throws(Rejection)
    func startAttempt(
        _ request: ChoiceRequest,
        in state: State
    ) throws(Rejection) -> [SessionEvent]
    func present(_ mode: MenuMode, in state: State) throws(Rejection) -> [SessionEvent]
    func retry(by who: String, in state: State) throws(Rejection) -> [SessionEvent]
    func refetch(by who: String, in state: State) -> [SessionEvent]
    func abort(by who: String, in state: State) throws(Rejection) -> [SessionEvent]
    func take(_ callback: CallbackReceived, in state: State) throws(Rejection) -> [SessionEvent]
    func facts(of command: CheckoutCommand, in state: State) throws(Rejection) -> [SessionEvent]

    // MARK: Answers

    /// Whether what comes of a request still matters.
    func awaitsAnswers(in state: State) -> Bool
    /// What an answer of success tells.
    func content(
        of outcome: ProviderAnswer.Outcome,
        to request: Request,
        after duration: Int64,
        in state: State
    ) -> AnsweredContent
    /// What follows at once from a request that succeeded.
    func consequences(of succeeded: Request, in state: State) -> [SessionEvent]
    /// What a clear refusal means at once.
    func consequences(of failed: OperationFailed, in state: State) -> [SessionEvent]
    /// Whether the engine goes on by itself after a refusal.
    func isTransient(
        _ status: Int,
        _ document: ProblemDocument,
        _ rel: Rel,
        in state: State
    ) -> Bool

    // MARK: Time

    /// The points in time that only this kind waits for.
    func ownTimers(in state: State) -> [(timer: SessionTimer, until: Instant)]
    /// Whether the session may end by its age.
    func mayExpire(_ state: State) -> Bool
    /// What the client only notes of an open page; nil for an answer.
    func notes(
        of outcome: ReportOutcome,
        to action: ClientAction,
        in state: State
    ) throws(Rejection) -> [SessionEvent]?
}

/// What an answer of success tells.
enum AnsweredContent {
    /// Something that is recorded.
    case facts([SessionEvent])
    /// It is about another payment.
    case foreign
    /// Nothing that could be used.
    case unusable
    /// It is no answer to anything that this kind of session asks.
    case stray
}

/// The request that an answer belongs to.
struct Request {
    var effect: EffectID
    var rel: Rel
    var tryNumber: Int
}

extension KindRules {
    /// The bounds.
    var limits: SessionLimits { policy.limits }

    /// The advice on a problem document that came with a status.
    func advice(on document: ProblemDocument?, _ status: Int?, in state: State) -> ProblemAdvice {
        policy.advice(on: document, status, with: state.payingInstrument)
    }

    /// The facts that an input brings.
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
        case .answered(let effect, let outcome, let duration, let retryAt):
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
