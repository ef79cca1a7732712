public import EventLog

/// The rules of a workflow: what may happen in its sessions and what follows from it, as pure functions.
///
/// The engine runs any rules of this kind. It owns what all workflows need (durability before effects, one request at a
/// time, retries, timers, leases, recovery after a crash) and asks the rules for everything else. The same arguments give
/// the same results, on any machine and at any later replay: no clock, no random number, no I/O.
public protocol WorkflowRules: Sendable {
    /// The fold of a session's events.
    associatedtype State: WorkflowState
    /// What happened in a session.
    associatedtype Event: WorkflowEvent
    /// What reaches a session: the workflow's own commands and reports, and what the engine brings.
    associatedtype Input: WorkflowInput
    /// A request to the outside.
    associatedtype Call: WorkflowCall
    /// Why a command or report is refused.
    associatedtype Rejection: WorkflowRejection

    /// The version of the data that the rules rely on beside code; recorded with every event.
    var catalogueVersion: String { get }

    /// What comes next in a state: the first rule that fits.
    ///
    /// The engine asks once for each state and keeps the result with it.
    func next(in state: State) -> NextStep<Self>

    /// The facts that an input brings; what follows from them is for ``next(in:)``.
    ///
    /// Each input has to fit the state as it is, also what the engine brings: where another writer was first, the same
    /// input is decided on again in the state that this one made.
    ///
    /// - Parameters:
    ///   - input: What reached the session.
    ///   - state: The fold of its events so far.
    ///   - next: What comes next in that state.
    ///   - now: The time that the events will carry; never earlier than the last event's.
    /// - Returns: None when the input changes nothing, for example a repeated report or an outcome that nobody waits for
    ///   any more.
    /// - Throws: The rejection, when the state does not allow a command or report.
    func facts(
        of input: Input,
        in state: State,
        next: () -> NextStep<Self>,
        at now: Instant
    ) throws(Rejection) -> [Event]

    /// Folds an event into a state; total, since facts are never refused.
    ///
    /// It counts the event in ``WorkflowState/sequence`` and keeps its time in ``WorkflowState/lastAt``.
    func evolve(_ state: inout State, by event: Event, at time: Instant)

    /// The points in time that a state waits for.
    func timers(in state: State) -> [(timer: Input.Timer, until: Instant)]

    /// Whether nothing is pending on the engine's side: the session waits for its client, or is over.
    func isSettled(_ state: State, next: NextStep<Self>) -> Bool

    /// The session's row in the index of sessions.
    func summary(of state: State, next: NextStep<Self>) -> SessionSummary

    /// The least wait that the workflow knows before a request is tried again, for example from a table of failures.
    func retryDelay(after outcome: Input.Outcome, in state: State) -> Duration
}

extension WorkflowRules {
    /// The first version: the rules rely on code alone.
    public var catalogueVersion: String { "1" }

    /// None: the retry schedule alone says when.
    public func retryDelay(after outcome: Input.Outcome, in state: State) -> Duration { .zero }

    /// Nothing is waited for.
    public func timers(in state: State) -> [(timer: Input.Timer, until: Instant)] { [] }

    /// That no request is under way and nothing comes next.
    public func isSettled(_ state: State, next: NextStep<Self>) -> Bool {
        state.requests.inFlight == nil && next == .rest
    }

    /// A row that says whether the session is open or has ended, and how.
    public func summary(of state: State, next: NextStep<Self>) -> SessionSummary {
        SessionSummary(
            session: state.session,
            phase: state.isOver ? SessionSummary.ended : "open",
            outcome: state.ending,
            isSettled: isSettled(state, next: next),
            lastSequence: state.sequence,
            openedAt: state.openedAt,
            lastAt: state.lastAt,
            dueAt: dueAt(in: state, next: next)
        )
    }

    /// When something is due in a state, for its row in the index; nil when only the client can go on.
    ///
    /// A request under way is due at once: its process may be gone.
    public func dueAt(in state: State, next: NextStep<Self>) -> Instant? {
        guard state.requests.inFlight == nil else { return state.lastAt }
        return effects(of: state, next: next).map { max($0.time, state.lastAt) }.min()
    }

    /// How many events may follow from one input without anything from outside: more would be a loop of the rules.
    public static var consequenceLimit: Int { 32 }

    /// What an input brings, and the state that it leads to; nil when it changes nothing.
    ///
    /// - Parameter next: What comes next in the state, asked for only where it decides.
    public func decision(
        on input: Input,
        in state: State,
        next: @autoclosure () -> NextStep<Self>,
        at now: Instant
    ) throws(Rejection) -> Decision<Self>? {
        let facts = try facts(of: input, in: state, next: next, at: now)
        guard !facts.isEmpty || input == .resumed else { return nil }
        var decision = Decision<Self>(events: facts, state: state, next: .rest)
        for event in facts { evolve(&decision.state, by: event, at: now) }
        decision.next = self.next(in: decision.state)
        while decision.events.count < Self.consequenceLimit,
            case .record(let consequences) = decision.next
        {
            for event in consequences { evolve(&decision.state, by: event, at: now) }
            decision.events += consequences
            decision.next = self.next(in: decision.state)
        }
        return decision.events.isEmpty ? nil : decision
    }

    /// The effects that are pending in a state, at most one request among them.
    public func effects(
        of state: State,
        next: NextStep<Self>
    ) -> [PendingEffect<Call, Input.Timer>] {
        let timers = timers(in: state).map { timer, until in
            PendingEffect<Call, Input.Timer>.wait(timer, until: until)
        }
        guard case .call(let call) = next else { return timers }
        return [.call(call)] + timers
    }
}

/// What comes next in a session.
public enum NextStep<Rules: WorkflowRules>: Hashable, Sendable {
    /// Facts that follow from the state at once.
    case record([Rules.Event])
    /// A request to the outside.
    case call(Rules.Call)
    /// Nothing, until something comes from outside.
    case rest

    /// The identity of the request that comes next, if one does.
    public var callID: EffectID? { if case .call(let call) = self { call.id } else { nil } }
}

/// What was decided on an input.
public struct Decision<Rules: WorkflowRules>: Sendable {
    /// What is to be recorded.
    public var events: [Rules.Event]
    /// The state after it.
    public var state: Rules.State
    /// What comes next in that state.
    public var next: NextStep<Rules>
}

/// Work that follows from a state, as data.
public enum PendingEffect<Call: WorkflowCall, Timer: WorkflowTimer>: Hashable, Sendable {
    /// Send a request.
    case call(Call)
    /// Come back at a time.
    case wait(Timer, until: Instant)

    /// When it is due; what has no time is due at once.
    package var time: Instant {
        switch self {
        case .call(let call): call.notBefore ?? Instant(microseconds: .min)
        case .wait(_, let until): until
        }
    }
}

/// The fold of a session's events.
public protocol WorkflowState: Sendable {
    /// What is recorded of a request that changes something, before it leaves.
    associatedtype Start: RequestStart
    /// What is recorded of a request that failed.
    associatedtype Failure: RequestFailure where Failure.Kind == Start.Kind
    /// The workflow's own reasons to read.
    associatedtype Occasion: Hashable & Sendable

    /// The state of a session without events.
    init(session: SessionID)

    /// The session.
    var session: SessionID { get }
    /// The sequence number of the last event; 0 before the first.
    var sequence: Int64 { get }
    /// When the last event was recorded.
    var lastAt: Instant { get }
    /// When the first event was recorded.
    var openedAt: Instant { get }
    /// Whether the session has come to its end: afterwards nothing is sent.
    var isOver: Bool { get }
    /// How it ended, in the workflow's own word, for a row that the rules do not make themselves.
    var ending: String? { get }
    /// The account of the session's requests.
    var requests: RequestLedger<Start, Failure, Occasion> { get }
    /// The address by which the session is found again; nil for a workflow whose sessions have none.
    var address: Sealed? { get }
}

extension WorkflowState {
    /// No word.
    public var ending: String? { nil }

    /// None.
    public var address: Sealed? { nil }
}

/// What happened in a session of a workflow.
public protocol WorkflowEvent: LoggedEvent {
    /// Whether it is an end of the session; there is one at the most.
    var isEnd: Bool { get }
    /// Whether it records that the session's data key is destroyed.
    var isErasure: Bool { get }
}

extension WorkflowEvent {
    /// No.
    public var isErasure: Bool { false }
}

/// What reaches the rules of a session: commands and reports of the workflow's own, and what the engine brings.
public protocol WorkflowInput: Hashable, Sendable {
    /// What comes of requests.
    associatedtype Outcome: RequestOutcome
    /// The points in time that states wait for.
    associatedtype Timer: WorkflowTimer

    /// The engine is about to send the pending request that changes something.
    static func starting(_ effect: EffectID) -> Self
    /// A request came to an end; when to go on, should it have failed.
    static func answered(
        _ effect: EffectID,
        _ outcome: Outcome,
        durationMilliseconds: Int64,
        retryAt: Instant
    ) -> Self
    /// The process that sent a request is gone, and with it the outcome.
    static func interrupted(_ effect: EffectID, retryAt: Instant) -> Self
    /// A point in time that the state waits for has come.
    static func timerFired(_ timer: Timer) -> Self
    /// Nothing new: apply the rules to the state as it is.
    static var resumed: Self { get }
}

/// A request to the outside, as data.
public protocol WorkflowCall: Hashable, Sendable {
    /// Its identity, from the request ledger: the same state has the same one.
    var id: EffectID { get }
    /// Whether it only reads; anything else is recorded before it leaves.
    var onlyReads: Bool { get }
    /// Not before this time; nil means at once.
    var notBefore: Instant? { get }
    /// What it does, in a metric; one of few.
    var metricName: String { get }
}

/// What comes of a request.
public protocol RequestOutcome: Hashable, Sendable {
    /// Whether the request may or may not have taken effect.
    var isUnknown: Bool { get }
    /// Whether there was no whole response.
    var isLost: Bool { get }
    /// The wait that the response asks for, if any.
    var askedDelay: Duration? { get }
    /// What came of it, in a metric; one of few.
    var metricName: String { get }
}

/// A point in time that a state waits for.
public protocol WorkflowTimer: Hashable, Sendable {
    /// Its name in the causes that logs record: a contract, never changed.
    var name: String { get }
}

/// Why the rules refuse a command or report: nothing was changed.
public protocol WorkflowRejection: Error, Hashable, CustomStringConvertible {
    /// The session was never opened.
    static var notOpen: Self { get }
    /// Its code, for example `session.attempt-running`.
    var code: String { get }
}
