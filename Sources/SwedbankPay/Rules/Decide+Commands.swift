internal import EventLog
internal import Workflow

/// The commands that any session accepts.
extension KindRules {
    func facts(
        of command: SessionCommand,
        in state: State,
        at now: Instant
    ) throws(Rejection) -> [SessionEvent] {
        try checkRoom(for: command, in: state)
        switch command {
        case .open, .checkout(.open): throw .alreadyOpen
        case .checkout(.confirm(let confirmed)):
            return state.confirmation == nil ? [.checkout(.orderConfirmed(confirmed))] : []
        case .checkout(.report(let fetched)):
            return fetched.digest == state.reportedDigest ? [] : [.checkout(.orderFetched(fetched))]
        case .checkout(let command): return try facts(of: command, in: state)
        case .recordOperator(let acted): return try record(acted, in: state)
        case .close(let acted): return try close(acted, in: state, at: now)
        case .callback(let received): return try receive(received, in: state, at: now)
        case .attempt(let request): return try startAttempt(request, in: state)
        case .menu(let mode): return try present(mode, in: state)
        case .returned(let form): return try returned(form, in: state)
        case .retry(let who): return try retry(by: who, in: state)
        case .refetch(let who): return refetch(by: who, in: state)
        case .abort(let who): return try abort(by: who, in: state)
        }
    }

    /// Records an operator's action; a finding about money is accepted only while the money's
    /// standing is unknown, or to correct the finding on which it is based.
    ///
    /// The amount of a finding is at most the payment's: a greater one is a typing error.
    private func record(
        _ acted: OperatorActed,
        in state: State
    ) throws(Rejection) -> [SessionEvent] {
        if let flaw = acted.flaw { throw .malformedStatement(flaw) }
        if let order = acted.order { try mayAdopt(order, in: state) }
        if let resolution = acted.resolution {
            let money = state.money
            if let amount = resolution.amount, let whole = money.amount, amount > whole {
                throw .malformedStatement(.amount)
            }
            guard money.standing == .unknown || state.book.finding != nil else {
                throw .nothingUnknown
            }
            guard acted.reason?.isEmpty == false else { throw .reasonMissing }
            if acted.action == OperatorActed.confirmingResolution {
                try checkProposal(resolution, in: state)
            }
        }
        return [.operatorActed(acted)]
    }

    /// Refuses to confirm what the second person has not proposed.
    private func checkProposal(
        _ resolution: MoneyResolution,
        in state: State
    ) throws(Rejection) {
        guard let proposal = state.book.proposal, proposal.by == resolution.secondPerson,
            proposal.resolution?.verdict == resolution.verdict,
            proposal.resolution?.amount == resolution.amount
        else { throw .malformedStatement(.secondPerson) }
    }

    /// Records a return, which does not prove a payment; it only means that the session should be
    /// polled now.
    private func returned(
        _ form: ReturnForm?,
        in state: State
    ) throws(Rejection) -> [SessionEvent] {
        guard let form else { throw .notThisPaymentURL }
        // A return after the end is normal: polling had already shown the result.
        guard state.outcome == nil else { return [] }
        return [.returned(Returned(form: form))]
    }

    /// Retries a failed request, or sends one that waits for a command.
    func retryFailed(by who: String, in state: State) throws(Rejection) -> [SessionEvent] {
        if let outcome = state.outcome { throw .sessionEnded(outcome) }
        let mayBeRetried =
            state.problem?.problem.isRetryable == true && state.problem?.problem.origin != .session
        guard mayBeRetried || (state.requests.awaitsRetry && state.running == nil) else {
            throw .nothingToRetry
        }
        return [.retryRequested(RetryRequested(by: who))]
    }

    func abort(by who: String, in state: State) throws(Rejection) -> [SessionEvent] {
        try requestAbort(by: who, in: state)
    }

    func requestAbort(by who: String, in state: State) throws(Rejection) -> [SessionEvent] {
        if let outcome = state.outcome { throw .sessionEnded(outcome) }
        // It was already requested and is in progress; after the engine gave up, another request is
        // a new start.
        guard state.abortRequestedBy == nil || state.isStalled else { return [] }
        return [.abortRequested(AbortRequested(by: who))]
    }

    func facts(of command: CheckoutCommand, in state: State) throws(Rejection) -> [SessionEvent] {
        throw .notACheckout
    }

    func mayAdopt(_ order: String, in state: State) throws(Rejection) { throw .notACheckout }
}

extension SessionCommand {
    /// Whether the command is accepted however long the log is: statements of an operator or the
    /// PSP, and commands that are rejected anyway.
    var hasRoomAlways: Bool {
        switch self {
        case .open, .recordOperator, .close, .callback, .checkout: true
        case .attempt, .menu, .returned, .retry, .refetch, .abort: false
        }
    }

    /// Whether an outside party could repeat the command without limit, so that room in the log is
    /// reserved from it.
    var isFromOutside: Bool {
        switch self {
        case .menu, .returned, .refetch, .callback, .checkout(.instrument), .checkout(.handOver):
            true
        case .open, .attempt, .retry, .abort, .recordOperator, .close, .checkout: false
        }
    }
}
