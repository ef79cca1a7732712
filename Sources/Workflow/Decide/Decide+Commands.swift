extension SessionDecider {
    func facts(
        of command: SessionCommand,
        in state: SessionState
    ) throws(Rejection) -> [SessionEvent] {
        if case .open(let opened) = command {
            guard state.opening == nil else { throw .alreadyOpen }
            return [.opened(opened)]
        }
        guard state.opening != nil else { throw .notOpen }
        if case .recordOperator(let acted) = command { return [.operatorActed(acted)] }
        if state.outcome == nil, state.sequence >= limits.events {
            throw .limitReached("session.events")
        }
        switch command {
        case .open, .recordOperator: return []
        case .attempt(let request): return try startAttempt(request, in: state)
        case .returned(let form): return try returned(form, in: state)
        case .retry(let who): return try retry(by: who, in: state)
        case .abort(let who): return try abort(by: who, in: state)
        }
    }

    /// Starts an attempt while the methods are known and none is running.
    private func startAttempt(
        _ request: ChoiceRequest,
        in state: SessionState
    ) throws(Rejection) -> [SessionEvent] {
        if let outcome = state.outcome { throw .sessionEnded(outcome) }
        guard !state.offers.isEmpty else { throw .stillOpening }
        if let running = state.attempt, !state.mayBeSuperseded {
            throw .attemptRunning(number: running.number, running.choice.instrument)
        }
        guard state.abortRequestedBy == nil else { throw .limitReached("session.abort-under-way") }
        guard state.attemptCount < limits.attempts else {
            throw .limitReached("session.attempts")
        }
        let choice = try choice(for: request, among: state.offers)
        return [
            .attemptStarted(AttemptStarted(number: state.attemptCount + 1, choice: choice))
        ]
    }

    private func choice(
        for request: ChoiceRequest,
        among offers: [MethodOffer]
    ) throws(Rejection) -> Choice {
        let instrument = request.instrument
        switch request {
        case .swish(let msisdn):
            guard offers.contains(where: { $0.instrument == .swish }) else {
                throw .methodNotOffered(instrument, offered: offers.map(\.instrument))
            }
            return .swish(msisdn: msisdn)
        case .card(let rank):
            let cards = offers.savedCards
            guard !cards.isEmpty else {
                throw .methodNotOffered(instrument, offered: offers.map(\.instrument))
            }
            guard let card = cards.first(where: { $0.rank == rank }) else {
                throw .prefillNotOffered(rank: rank, offered: cards.map(\.rank))
            }
            return .card(rank: card.rank, token: card.token)
        case .newCard, .applePay, .googlePay, .clickToPay:
            throw .instrumentNotSupported(instrument)
        }
    }

    /// A return proves nothing about the payment: it only says that now is the time to look.
    private func returned(
        _ form: ReturnForm?,
        in state: SessionState
    ) throws(Rejection) -> [SessionEvent] {
        guard let form else { throw .notThisPaymentURL }
        // Coming back after the end is normal: looking had shown it before.
        guard state.outcome == nil else { return [] }
        return [.returned(Returned(form: form))]
    }

    private func retry(
        by who: String,
        in state: SessionState
    ) throws(Rejection) -> [SessionEvent] {
        if let outcome = state.outcome { throw .sessionEnded(outcome) }
        let isScheduled = state.setback?.retryAt != nil || state.reading.setback?.retryAt != nil
        let mayBeRetried =
            state.problem?.problem.isRetryable == true && state.problem?.problem.origin != .session
        guard mayBeRetried || (isScheduled && state.running == nil) else {
            throw .nothingToRetry
        }
        return [.retryRequested(RetryRequested(by: who))]
    }

    private func abort(
        by who: String,
        in state: SessionState
    ) throws(Rejection) -> [SessionEvent] {
        if let outcome = state.outcome { throw .sessionEnded(outcome) }
        guard state.snapshot != nil else { throw .stillOpening }
        // Asked for already, and under way; after the engine gave up, asking again is a new start.
        guard state.abortRequestedBy == nil || state.isStalled else { return [] }
        return [.abortRequested(AbortRequested(by: who))]
    }
}

extension SessionState {
    /// Whether the running attempt is stuck for good, so that the payer may choose anew.
    var mayBeSuperseded: Bool {
        isStalled && problem.map { !$0.problem.isRetryable } ?? false
    }
}
