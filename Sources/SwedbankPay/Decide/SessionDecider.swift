public import EventLog
public import Workflow

/// The rules of a payment session: which events follow from an input, and what a state owes to the outside.
///
/// Pure: the same input, state and time give the same events, on any machine and at any later replay.
public struct SessionDecider: WorkflowRules {
    /// The fold of a session's events.
    public typealias State = SessionState
    /// What happened in a session.
    public typealias Event = SessionEvent
    /// What reaches a session.
    public typealias Input = SessionInput
    /// A request to the PSP.
    public typealias Call = OperationCall
    // Why a command or report is refused is called ``Rejection`` by itself.

    /// Who acts on which problem, and whether it may be retried.
    public var catalogue: ProblemCatalogue
    /// The bounds that the rules keep.
    public var limits: SessionLimits
    /// Which addresses clients are handed; no decision depends on it.
    public var addresses = ClientAddresses()
    /// How the engine presents itself to the PSP; no decision depends on it.
    public var client = ClientProfile()
    /// The digest of the answer that is decided upon, where a log says it and the answer can't be had as it was: text in it was
    /// masked.
    package var recordedDigest: Digest256?

    /// Rules with a catalogue and bounds.
    public init(catalogue: ProblemCatalogue, limits: SessionLimits = SessionLimits()) {
        self.catalogue = catalogue
        self.limits = limits
    }

    /// Decides which events follow from an input.
    ///
    /// - Parameters:
    ///   - input: What reached the session.
    ///   - state: The fold of its events so far.
    ///   - now: The time that the events will carry; never earlier than the last event's.
    /// - Returns: The facts that the input brought, and what follows from them at once; nothing when the input changes
    ///   nothing, for example a repeated report or an answer that nobody waits for any more.
    /// - Throws: A ``Rejection`` when the session's state does not allow a command or report.
    public func decide(
        _ input: SessionInput,
        in state: SessionState,
        at now: Instant
    ) throws(Rejection) -> [SessionEvent] {
        try decision(on: input, in: state, next: next(in: state), at: now)?.events ?? []
    }

    /// The version of the problem catalogue.
    public var catalogueVersion: String { catalogue.version }

    /// Folds an event into a state.
    public func evolve(_ state: inout SessionState, by event: SessionEvent, at time: Instant) {
        state.apply(event, at: time)
    }

    /// The facts that an input brings.
    public func facts(
        of input: SessionInput,
        in state: SessionState,
        next: () -> NextStep<SessionDecider>,
        at now: Instant
    ) throws(Rejection) -> [SessionEvent] {
        switch input {
        case .command(let command):
            if let checkout = state.checkout {
                return try facts(of: command, in: state, checkout, at: now)
            }
            return try facts(of: command, in: state, at: now)
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

    /// The effects that are pending in a state, at most one request among them.
    public func effects(owedBy state: SessionState) -> [Effect] {
        effects(of: state, next: next(in: state))
    }

    /// Whether nothing is outstanding on the engine's side: the session waits for its client, or is over.
    ///
    /// Looking whether the payment has moved doesn't count while the client has something to do.
    public func isSettled(_ state: SessionState) -> Bool {
        guard state.running == nil else { return false }
        return isSettled(state, next: next(in: state))
    }

    /// The same, where it is known what comes next.
    public func isSettled(
        _ state: SessionState,
        next: NextStep<SessionDecider>
    ) -> Bool {
        guard state.running == nil else { return false }
        switch next {
        case .rest: return true
        // Of an order only looks are polls that nobody waits for.
        case .call(let call):
            guard call.isPoll else { return false }
            if state.checkout != nil || state.actions.contains(where: \.isOpen) { return true }
            // What is only read again later than polls are is waited for by nobody.
            return call.notBefore.map { $0 - state.lastAt > limits.longestPollInterval } ?? false
        case .record: return false
        }
    }
}
