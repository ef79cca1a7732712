internal import EventLog
internal import Workflow

/// What any session can be asked.
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
        case .checkout(let command): return try facts(of: command, in: state)
        case .recordOperator(let acted): return try record(acted, in: state)
        case .close(let acted): return try close(acted, in: state, at: now)
        case .callback(let received): return try take(received, in: state)
        case .attempt(let request): return try startAttempt(request, in: state)
        case .menu(let mode): return try present(mode, in: state)
        case .returned(let form): return try returned(form, in: state)
        case .retry(let who): return try retry(by: who, in: state)
        case .refetch(let who): return refetch(by: who, in: state)
        case .abort(let who): return try abort(by: who, in: state)
        }
    }

    /// What a person did; what they found out about money only where it is unknown.
    private func record(
        _ acted: OperatorActed,
        in state: State
    ) throws(Rejection) -> [SessionEvent] {
        if acted.resolution != nil {
            guard state.money.standing == .unknown else { throw .nothingUnknown }
            guard acted.reason?.isEmpty == false else { throw .reasonMissing }
        }
        return [.operatorActed(acted)]
    }

    /// A return proves nothing about the payment: it only says that now is the time to look.
    private func returned(
        _ form: ReturnForm?,
        in state: State
    ) throws(Rejection) -> [SessionEvent] {
        guard let form else { throw .notThisPaymentURL }
        // Coming back after the end is normal: looking had shown it before.
        guard state.outcome == nil else { return [] }
        return [.returned(Returned(form: form))]
    }

    /// What failed in a retryable way, or waits for somebody to ask, may be done again.
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
        // Asked for already, and under way; after the engine gave up, asking again is a new start.
        guard state.abortRequestedBy == nil || state.isStalled else { return [] }
        return [.abortRequested(AbortRequested(by: who))]
    }

    func facts(of command: CheckoutCommand, in state: State) throws(Rejection) -> [SessionEvent] {
        throw .notACheckout
    }
}

extension SessionCommand {
    /// Whether it is taken however long the log is: what a person or the PSP said, and what is refused anyway.
    var hasRoomAlways: Bool {
        switch self {
        case .open, .recordOperator, .close, .callback, .checkout: true
        case .attempt, .menu, .returned, .retry, .refetch, .abort: false
        }
    }

    /// Whether somebody outside could ask for it again and again: room in the log is kept from these.
    var isFromOutside: Bool {
        switch self {
        case .menu, .returned, .refetch, .callback, .checkout(.instrument), .checkout(.handOver):
            true
        case .open, .attempt, .retry, .abort, .recordOperator, .close, .checkout: false
        }
    }
}
