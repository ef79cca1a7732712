/// The rules of a payment session: which events follow from an input, and what a state owes to the outside.
///
/// Pure: the same input, state and time give the same events, on any machine and at any later replay.
public struct SessionDecider: Sendable {
    /// Who acts on which problem, and whether it may be retried.
    public var catalogue: ProblemCatalogue
    /// The bounds that the rules keep.
    public var limits: SessionLimits
    /// Which addresses clients are handed; no decision depends on it.
    public var addresses = ClientAddresses()
    /// The digest of the answer that is decided upon, where a log says it and the answer can't be had as it was: text in it was
    /// masked.
    package var recordedDigest: Digest256?

    /// How many events may follow from one input without anything from outside: more would be a loop of ours.
    package static let consequenceLimit = 32

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
        try decision(on: input, in: state, next: step(in: state), at: now)?.events ?? []
    }

    /// What an input brings, and the state that it leads to; nil when it changes nothing.
    ///
    /// - Parameter next: The ladder's word for the state, asked for only where it decides.
    func decision(
        on input: SessionInput,
        in state: SessionState,
        next: @autoclosure () -> Step,
        at now: Instant
    ) throws(Rejection) -> Decision? {
        let facts = try facts(of: input, in: state, next, at: now)
        guard !facts.isEmpty || input == .resumed else { return nil }
        var decision = Decision(events: facts, state: state, next: .rest)
        for event in facts { decision.state.apply(event, at: now) }
        decision.next = step(in: decision.state)
        while decision.events.count < Self.consequenceLimit,
            case .record(let consequences) = decision.next
        {
            for event in consequences { decision.state.apply(event, at: now) }
            decision.events += consequences
            decision.next = step(in: decision.state)
        }
        return decision.events.isEmpty ? nil : decision
    }

    /// What was decided on an input.
    struct Decision {
        /// What is to be recorded.
        var events: [SessionEvent]
        /// The state after it.
        var state: SessionState
        /// The ladder's word for that state.
        var next: Step
    }

    private func facts(
        of input: SessionInput,
        in state: SessionState,
        _ next: () -> Step,
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

    /// What a state owes to the outside, at most one request among it.
    public func effects(owedBy state: SessionState) -> [Effect] {
        effects(owedBy: state, next: step(in: state))
    }

    /// The same, with the ladder's word for the state at hand.
    func effects(owedBy state: SessionState, next: Step) -> [Effect] {
        let timers = timers(in: state)
        guard case .call(let call) = next else { return timers }
        return [.call(call)] + timers
    }

    /// Whether nothing is outstanding on the engine's side: the session waits for its client, or is over.
    ///
    /// Looking whether the payment has moved doesn't count while the client has something to do.
    public func isSettled(_ state: SessionState) -> Bool {
        guard state.running == nil else { return false }
        return isSettled(state, next: step(in: state))
    }

    /// The same, with the ladder's word for the state at hand.
    func isSettled(_ state: SessionState, next: Step) -> Bool {
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
