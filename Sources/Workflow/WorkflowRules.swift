public import EventLog

/// The rules of a workflow: what may happen in its sessions and what follows from it, as pure
/// functions.
///
/// The engine runs any such rules. It provides what all workflows need (durability before effects,
/// one request at a time, retries, timers, leases, recovery after a crash) and consults the rules
/// for everything else. The same arguments give the same results on any machine and at any later
/// replay: no clock, no random numbers, no I/O.
public protocol WorkflowRules: Sendable {
    /// The fold of a session's events.
    associatedtype State: WorkflowState
    /// An event of a session.
    associatedtype Event: WorkflowEvent
    /// An input of the rules: one of the workflow's own commands and reports, or an input that the
    /// engine delivers.
    associatedtype Input: WorkflowInput
    /// A request to the outside.
    associatedtype Request: WorkflowRequest
    /// Why a command or report is rejected.
    associatedtype Rejection: WorkflowRejection

    /// The version of the data that the rules depend on besides code; recorded with every event.
    var catalogueVersion: String { get }

    /// The next step in a state: the first rule that applies.
    ///
    /// The engine calls it once for each state and keeps the result with the state.
    func next(in state: State) -> NextStep<Self>

    /// The events that result from an input; what follows from them is decided by ``next(in:)``.
    ///
    /// Every input, including the engine's, must fit the current state: after a version conflict
    /// the same input is decided again in the state that the other writer produced.
    ///
    /// - Parameters:
    ///   - input: What reached the session.
    ///   - state: The fold of its events so far.
    ///   - next: The next step in that state.
    ///   - now: The time that the events will carry; never earlier than the last event's.
    /// - Returns: The events; empty when the input changes nothing, for example a repeated report
    ///   or an outcome that is no longer expected.
    /// - Throws: The rejection, when the state does not allow a command or report.
    func facts(
        of input: Input,
        in state: State,
        next: () -> NextStep<Self>,
        at now: Instant
    ) throws(Rejection) -> [Event]

    /// Folds an event into a state; total, because facts are never refused.
    ///
    /// It increments ``WorkflowState/sequence`` and stores the event's time in
    /// ``WorkflowState/lastAt``.
    func evolve(_ state: inout State, by event: Event, at time: Instant)

    /// The timers of a state, each at most once, whatever its log says.
    func timers(in state: State) -> [(timer: Input.Timer, until: Instant)]

    /// Whether nothing is pending on the engine's side: the session waits for its client, or is
    /// over.
    func isSettled(_ state: State, next: NextStep<Self>) -> Bool

    /// The session's row in the index of sessions.
    func summary(of state: State, next: NextStep<Self>) -> SessionSummary

    /// The minimum delay that the workflow specifies before a request is retried, for example from
    /// a table of failures.
    func retryDelay(after outcome: Input.Outcome, in state: State) -> Duration
}

extension WorkflowRules {
    /// The first version: the rules depend on code alone.
    public var catalogueVersion: String { "1" }

    /// No minimum: only the retry schedule decides.
    public func retryDelay(after outcome: Input.Outcome, in state: State) -> Duration { .zero }

    /// No timers.
    public func timers(in state: State) -> [(timer: Input.Timer, until: Instant)] { [] }

    /// Whether no request is in flight and no step follows.
    public func isSettled(_ state: State, next: NextStep<Self>) -> Bool {
        state.requests.inFlight == nil && next == .rest
    }

    /// A row that says whether the session is open or has ended, and how.
    public func summary(of state: State, next: NextStep<Self>) -> SessionSummary {
        plainSummary(of: state, next: next)
    }

    /// A row without facts, a reference and a label: what other rows begin with.
    public func plainSummary(of state: State, next: NextStep<Self>) -> SessionSummary {
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

    /// When something is due in a state, for its row in the index; `nil` when only the client can
    /// proceed.
    ///
    /// A request in flight is due at once, because its process may have ended.
    public func dueAt(in state: State, next: NextStep<Self>) -> Instant? {
        guard state.requests.inFlight == nil else { return state.lastAt }
        return effects(of: state, next: next).map { max($0.time, state.lastAt) }.min()
    }

    /// The maximum number of events that may follow from one input without outside input; more
    /// would be a loop in the rules.
    public static var maximumDerivedEvents: Int { 32 }

    /// The events that result from an input and the state after them; `nil` when it changes
    /// nothing.
    ///
    /// - Parameters:
    ///   - input: What reached the session.
    ///   - state: The fold of its events so far.
    ///   - next: The next step in that state, evaluated only where it matters.
    ///   - now: The time that the events will carry.
    /// - Returns: The decision, or `nil`.
    /// - Throws: The rejection, when the state does not allow a command or report.
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
        while decision.events.count < Self.maximumDerivedEvents,
            case .record(let consequences) = decision.next
        {
            for event in consequences { evolve(&decision.state, by: event, at: now) }
            decision.events += consequences
            decision.next = self.next(in: decision.state)
        }
        return decision.events.isEmpty ? nil : decision
    }

    /// The pending effects of a state, with at most one request among them.
    public func effects(
        of state: State,
        next: NextStep<Self>
    ) -> [PendingEffect<Request, Input.Timer>] {
        let timers = timers(in: state).map { timer, until in
            PendingEffect<Request, Input.Timer>.wait(timer, until: until)
        }
        guard case .request(let request) = next else { return timers }
        return [.request(request)] + timers
    }
}

/// The next step in a session.
public enum NextStep<Rules: WorkflowRules>: Hashable, Sendable {
    /// Record events that follow from the state immediately.
    case record([Rules.Event])
    /// Send a request to the outside.
    case request(Rules.Request)
    /// Do nothing until an input arrives from outside.
    case rest

    /// The identifier of the request, if the next step is one.
    public var requestID: EffectID? {
        if case .request(let request) = self { request.id } else { nil }
    }
}

/// The decision on an input.
public struct Decision<Rules: WorkflowRules>: Sendable {
    /// The events to be recorded.
    public var events: [Rules.Event]
    /// The state after them.
    public var state: Rules.State
    /// The next step in that state.
    public var next: NextStep<Rules>
}

/// Work that follows from a state, as data.
public enum PendingEffect<Request: WorkflowRequest, Timer: WorkflowTimer>: Hashable, Sendable {
    /// Send a request.
    case request(Request)
    /// Wake up at a time.
    case wait(Timer, until: Instant)

    /// When it is due; without a time it is due at once.
    package var time: Instant {
        switch self {
        case .request(let request): request.notBefore ?? Instant(microseconds: .min)
        case .wait(_, let until): until
        }
    }
}

/// The fold of a session's events.
public protocol WorkflowState: Sendable {
    /// The event that is recorded before a request that changes something is sent.
    associatedtype Start: RequestStart
    /// The event that is recorded when a request failed.
    associatedtype Failure: RequestFailure where Failure.Kind == Start.Kind
    /// The workflow's own reasons to read.
    associatedtype Occasion: Hashable & Sendable

    /// Creates the state of a session without events.
    init(session: SessionID)

    /// The session.
    var session: SessionID { get }
    /// The sequence number of the last event; 0 before the first.
    var sequence: SequenceNumber { get }
    /// When the last event was recorded.
    var lastAt: Instant { get }
    /// When the first event was recorded.
    var openedAt: Instant { get }
    /// Whether the session has ended; afterwards nothing is sent.
    var isOver: Bool { get }
    /// The outcome, as the workflow names it, for a row that the rules do not create themselves.
    var ending: String? { get }
    /// The ledger of the session's requests.
    var requests: RequestLedger<Start, Failure, Occasion> { get }
    /// The address by which the session can be found again; `nil` for a workflow whose sessions
    /// have none.
    var address: Sealed? { get }
    /// What identifies a session in the text of its address.
    ///
    /// Two texts with the same identity are the same session, so that it is opened once.
    ///
    /// - Parameter address: The address: a secret.
    /// - Returns: The text whose fingerprint finds the session: as secret as the address.
    static func identity(ofAddress address: String) -> String
}

extension WorkflowState {
    /// No name for the outcome.
    public var ending: String? { nil }

    /// No address.
    public var address: Sealed? { nil }

    /// The address itself.
    public static func identity(ofAddress address: String) -> String { address }
}

/// An event of a session of a workflow.
public protocol WorkflowEvent: LoggedEvent {
    /// Whether it ends the session; at most one event does.
    var isEnd: Bool { get }
    /// Whether it records that the session's data key was destroyed.
    var isErasure: Bool { get }
}

extension WorkflowEvent {
    /// False.
    public var isErasure: Bool { false }
}

/// An input of a session's rules: one of the workflow's own commands and reports, or an input that
/// the engine delivers.
public protocol WorkflowInput: Hashable, Sendable {
    /// The outcome of a request.
    associatedtype Outcome: RequestOutcome
    /// The timers of a state.
    associatedtype Timer: WorkflowTimer

    /// The engine is about to send the pending request that changes something.
    static func starting(_ effect: EffectID) -> Self
    /// A request ended; `retryAt` says when to continue if it failed.
    static func requestEnded(
        _ effect: EffectID,
        _ outcome: Outcome,
        durationMilliseconds: Int64,
        retryAt: Instant
    ) -> Self
    /// The process that sent a request has ended, and the outcome is lost with it.
    static func interrupted(_ effect: EffectID, retryAt: Instant) -> Self
    /// A time that the state waits for has come.
    static func timerFired(_ timer: Timer) -> Self
    /// No new input: apply the rules to the current state.
    static var resumed: Self { get }
}

/// A request to the outside, as data.
public protocol WorkflowRequest: Hashable, Sendable {
    /// Its identifier, from the request ledger: the same state gives the same identifier.
    var id: EffectID { get }
    /// Whether it only reads; anything else is recorded before it is sent.
    var onlyReads: Bool { get }
    /// The earliest time at which it may be sent; `nil` means at once.
    var notBefore: Instant? { get }
    /// The kind of request, as a metric label with few values.
    var metricName: String { get }
}

/// The outcome of a request.
public protocol RequestOutcome: Hashable, Sendable {
    /// Whether the request may or may not have taken effect.
    var isUnknown: Bool { get }
    /// Whether there was no complete response.
    var isLost: Bool { get }
    /// The delay that the response requests, if any.
    var requestedDelay: Duration? { get }
    /// The outcome, as a metric label with few values.
    var metricName: String { get }
}

/// A time that a state waits for.
public protocol WorkflowTimer: Hashable, Sendable {
    /// Its name in the causes that logs record: a contract that never changes.
    var name: String { get }
}

/// Why the rules reject a command or report: nothing was changed.
public protocol WorkflowRejection: Error, Hashable, CustomStringConvertible {
    /// The session was never opened.
    static var notOpen: Self { get }
    /// Its code, for example `session.attempt-running`.
    var code: String { get }
}
