public import EventLog
public import Workflow

/// The rules of payment sessions and checkouts: which events follow from an input, and which
/// effects are pending in a state.
///
/// Each of the two kinds has rules of its own, and this type dispatches by the kind of the state.
/// It is pure: the same input, state and time produce the same events on any machine and at any
/// later replay.
public struct SessionDecider: WorkflowRules {
    /// The fold of a session's events.
    public typealias State = SessionState
    /// An event of a session.
    public typealias Event = SessionEvent
    /// An input of a session: a command, a report, or an input of the engine.
    public typealias Input = SessionInput
    /// A request to the PSP.
    public typealias Request = OperationRequest
    // The associated type `Rejection` is ``Rejection`` itself.

    /// Defines who acts on which problem, and whether it may be retried.
    public var catalogue: ProblemCatalogue
    /// The limits that the rules apply.
    public var limits: SessionLimits
    /// Which addresses are passed to clients; no decision depends on it.
    public var addresses = ClientAddresses()
    /// How the engine presents itself to the PSP; no decision depends on it.
    public var client = ClientProfile()

    /// Creates rules with a catalogue and limits.
    public init(catalogue: ProblemCatalogue, limits: SessionLimits = SessionLimits()) {
        self.catalogue = catalogue
        self.limits = limits
    }

    /// The policy of both kinds of rules.
    var policy: Policy { Policy(catalogue: catalogue, limits: limits) }
    var payment: PaymentRules { PaymentRules(policy: policy) }
    var checkout: CheckoutRules { CheckoutRules(policy: policy) }

    /// Decides which events follow from an input.
    ///
    /// - Parameters:
    ///   - input: What reached the session.
    ///   - state: The fold of its events so far.
    ///   - now: The time that the events will carry; never earlier than the last event's.
    /// - Returns: The events that result from the input and those that follow immediately; empty
    ///   when the input changes nothing, for example a repeated report or a response that is no
    ///   longer expected.
    /// - Throws: A ``Rejection`` when the session's state does not allow a command or report.
    public func decide(
        _ input: SessionInput,
        in state: SessionState,
        at now: Instant
    ) throws(Rejection) -> [SessionEvent] {
        try decision(on: input, in: state, next: next(in: state), at: now)?.events ?? []
    }

    /// Whether the rules accept a command in a state, so that it may be proposed.
    package func accepts(_ command: SessionCommand, in state: SessionState) -> Bool {
        do throws(Rejection) {
            _ = try decide(.command(command), in: state, at: state.lastAt)
            return true
        } catch {
            return false
        }
    }

    /// Whether the rules accept a transaction of a kind in a state, whatever its amount; with
    /// `again`, although several were refused.
    package func accepts(
        _ kind: TransactionKind,
        again: Bool = false,
        in state: SessionState
    ) -> Bool {
        guard let checkout = state.checkout else { return false }
        do throws(Rejection) {
            try self.checkout.mayTransact(kind, again: again, in: checkout)
            return true
        } catch {
            return false
        }
    }

    /// The version of the problem catalogue.
    public var catalogueVersion: String { catalogue.version }

    /// Folds an event into a state.
    public func evolve(_ state: inout SessionState, by event: SessionEvent, at time: Instant) {
        state.apply(event, at: time)
    }

    /// The next step in a state: the first rule that applies.
    public func next(in state: SessionState) -> NextStep<SessionDecider> {
        guard state.isOpen else { return .rest }
        let next: NextStep<SessionDecider>
        switch state {
        case .unopened: return .rest
        case .payment(let payment): next = self.payment.next(in: payment)
        case .checkout(let checkout): next = self.checkout.next(in: checkout)
        }
        if case .record(let events) = next {
            for (index, event) in events.enumerated() {
                guard let action = event.requestedAction else { continue }
                // Named after its own event, so that the next step names no two actions alike.
                precondition(
                    action == ActionID(requestedAt: state.sequence + 1 + index),
                    "\(state.session): \(action.rawValue) is not named after its event"
                )
            }
        }
        return next
    }

    /// The events that result from an input.
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
            return try self.payment.facts(of: input, in: payment, next, at: now)
        case .checkout(let checkout):
            return try self.checkout.facts(of: input, in: checkout, next, at: now)
        }
    }

    /// The event that determines the kind of session; no other command is accepted before it.
    private func opening(by command: SessionCommand) throws(Rejection) -> [SessionEvent] {
        switch command {
        case .open(let opened): return [.opened(opened)]
        case .checkout(.open(let opened)):
            // The state of the money would show what the payer receives as paid by the payer.
            guard opened.terms.purpose != PaymentOrderPurpose.payout.rawValue else {
                throw .purposeNotSupported(opened.terms.purpose)
            }
            return [.checkout(.checkoutOpened(opened))]
        case .attempt, .menu, .returned, .retry, .refetch, .abort, .callback, .checkout, .close,
            .recordOperator:
            throw .notOpen
        }
    }

    /// The timers of a state.
    public func timers(in state: SessionState) -> [(timer: SessionTimer, until: Instant)] {
        guard state.isOpen else { return [] }
        switch state {
        case .unopened: return []
        case .payment(let payment): return self.payment.timers(in: payment)
        case .checkout(let checkout): return self.checkout.timers(in: checkout)
        }
    }

    /// The pending effects of a state, with at most one request among them.
    public func pendingEffects(of state: SessionState) -> [Effect] {
        effects(of: state, next: next(in: state))
    }

    /// Whether nothing is pending on the engine's side: the session waits for its client or has
    /// ended.
    ///
    /// A poll for progress of the payment does not count while the client has something to do.
    public func isSettled(_ state: SessionState) -> Bool {
        guard state.running == nil else { return false }
        return isSettled(state, next: next(in: state))
    }

    /// Whether nothing is pending on the engine's side, given the next step.
    public func isSettled(_ state: SessionState, next: NextStep<SessionDecider>) -> Bool {
        guard state.running == nil else { return false }
        switch (next, state) {
        case (.rest, _): return true
        case (.record, _), (.request, .unopened): return false
        case (.request(let request), .payment(let payment)):
            return request.isPoll && self.payment.isIdle(request, in: payment)
        // For an order, only late polls are reads whose result is not awaited.
        case (.request(let request), .checkout): return request.isPoll
        }
    }

    /// The minimum delay that the catalogue requires before a request is repeated; zero when it
    /// specifies none.
    public func retryDelay(
        after outcome: ProviderResponse.Outcome,
        in state: SessionState
    ) -> Duration {
        guard case .refused(let status, let document, _) = outcome else { return .zero }
        return policy.retryDelay(
            after: status,
            document,
            with: state.payment?.attempt?.choice.instrument
        )
    }

    /// Throws unless an operator may end the session now: only one that does not continue by itself
    /// any more.
    ///
    /// This is also checked before the session is read for its closing, so that a failing read is
    /// not what makes it stuck.
    package func mayClose(_ state: SessionState) throws(Rejection) {
        switch state {
        case .unopened: throw .stillGoing
        case .payment(let payment): try self.payment.mayClose(payment)
        case .checkout(let checkout): try self.checkout.mayClose(checkout)
        }
    }
}

extension SessionEvent {
    /// The action that the event asks the client for.
    fileprivate var requestedAction: ActionID? {
        switch self {
        case .externalAppRequested(let requested): requested.request.action
        case .threeDSMethodRequested(let requested): requested.action
        case .threeDSRequested(let requested): requested.action
        case .walletRequested(let requested): requested.request.action
        case .menuRequested(let requested): requested.action
        case .checkout(.checkInRequested(let requested)): requested.action
        default: nil
        }
    }
}
