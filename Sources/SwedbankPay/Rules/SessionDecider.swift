public import EventLog
public import Workflow

/// The rules of payment sessions and checkouts: which events follow from an input, and what a state owes to the outside.
///
/// Each of the two has rules of its own; this asks those that a state is of. Pure: the same input, state and time give the
/// same events, on any machine and at any later replay.
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

    /// What both kinds of rules go by.
    var policy: Policy {
        Policy(catalogue: catalogue, limits: limits, recordedDigest: recordedDigest)
    }
    var payment: PaymentRules { PaymentRules(policy: policy) }
    var checkout: CheckoutRules { CheckoutRules(policy: policy) }

    /// Decides which events follow from an input.
    ///
    /// - Parameters:
    ///   - input: What reached the session.
    ///   - state: The fold of its events so far.
    ///   - now: The time that the events will carry; never earlier than the last event's.
    /// - Returns: The facts that the input brought, and what follows from them at once; none when the input changes
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

    /// What comes next in a state: the first rule that fits.
    public func next(in state: SessionState) -> NextStep<SessionDecider> {
        guard state.isOpen else { return .rest }
        switch state {
        case .unopened: return .rest
        case .payment(let payment): return self.payment.next(in: payment.value)
        case .checkout(let checkout): return self.checkout.next(in: checkout.value)
        }
    }

    /// The facts that an input brings.
    public func facts(
        of input: SessionInput,
        in state: SessionState,
        next: () -> NextStep<SessionDecider>,
        at now: Instant
    ) throws(Rejection) -> [SessionEvent] {
        if !state.isOpen {
            if case .command(let command) = input { return try opening(by: command) }
            if case .timerFired = input { return [] }
        }
        switch state {
        case .unopened:
            guard case .report(let report) = input else { return [] }
            throw .unknownAction(report.action)
        case .payment(let payment):
            return try self.payment.facts(of: input, in: payment.value, next, at: now)
        case .checkout(let checkout):
            return try self.checkout.facts(of: input, in: checkout.value, next, at: now)
        }
    }

    /// The event that says which kind of session it is; nothing else can be asked before.
    private func opening(by command: SessionCommand) throws(Rejection) -> [SessionEvent] {
        switch command {
        case .open(let opened): [.opened(opened)]
        case .checkout(.open(let opened)): [.checkout(.checkoutOpened(opened))]
        case .attempt, .menu, .returned, .retry, .refetch, .abort, .callback, .checkout, .close,
            .recordOperator:
            throw .notOpen
        }
    }

    /// The points in time that a state waits for.
    public func timers(in state: SessionState) -> [(timer: SessionTimer, until: Instant)] {
        guard state.isOpen else { return [] }
        switch state {
        case .unopened: return []
        case .payment(let payment): return self.payment.timers(in: payment.value)
        case .checkout(let checkout): return self.checkout.timers(in: checkout.value)
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
    public func isSettled(_ state: SessionState, next: NextStep<SessionDecider>) -> Bool {
        guard state.running == nil else { return false }
        switch (next, state) {
        case (.rest, _): return true
        case (.record, _), (.call, .unopened): return false
        case (.call(let call), .payment(let payment)):
            return call.isPoll && self.payment.isIdle(call, in: payment.value)
        // Of an order only looks are polls that nobody waits for.
        case (.call(let call), .checkout): return call.isPoll
        }
    }

    /// The least wait that the catalogue wants before a request is repeated; zero when it says nothing.
    public func retryDelay(
        after outcome: ProviderAnswer.Outcome,
        in state: SessionState
    ) -> Duration {
        guard case .refused(let status, let document, _) = outcome else { return .zero }
        return policy.retryDelay(
            after: status,
            document,
            with: state.payment?.attempt?.choice.instrument
        )
    }

    /// Whether a person may end the session now: only one in which nothing goes on by itself any more.
    ///
    /// Asked before the session is read for its closing, too: a reading that fails must not be what makes it stuck.
    package func mayClose(_ state: SessionState) throws(Rejection) {
        switch state {
        case .unopened: throw .stillGoing
        case .payment(let payment): try self.payment.mayClose(payment.value)
        case .checkout(let checkout): try self.checkout.mayClose(checkout.value)
        }
    }
}
