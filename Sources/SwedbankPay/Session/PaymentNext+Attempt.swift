internal import EventLog
internal import Workflow

extension PaymentRules {
    /// Uses a choice that was made before the methods were known, once.
    func preferenceStep(in state: PaymentState) -> Step? {
        guard !state.preferencesUsed, !state.offers.isEmpty, state.abortRequestedBy == nil,
            !state.isOnlyRead,
            let preferences = state.opening?.preferences, !preferences.isEmpty
        else { return nil }
        for preference in preferences {
            guard let choice = choice(for: preference, among: state.offers) else { continue }
            let number = state.attemptCount + 1
            return .record([.attemptStarted(AttemptStarted(number: number, choice: choice))])
        }
        return .record([
            .problem(methodNotAvailable(.notOffered))
        ])
    }

    /// The choice for a preference, if it is offered; a rank that no longer exists means the first
    /// card.
    private func choice(for preference: Preference, among offers: [MethodOffer]) -> Choice? {
        do {
            return try choice(for: preference, among: offers) { rank, cards throws(Rejection) in
                guard let card = cards.first(where: { $0.rank == rank }) ?? cards.first else {
                    throw .cardNotOffered
                }
                return card
            }
        } catch {
            return nil
        }
    }

    /// R11: switches a session that is presented for another method back first.
    func presentationStep(in state: PaymentState, _ snapshot: Snapshot) -> Step? {
        guard let attempt = state.attempt, !attempt.isStarted, !attempt.mayHaveStarted,
            state.requests.failures(of: .startPaymentAttempt) == nil
        else { return nil }
        let method = attempt.choice.method
        // While it is locked to cards for a new one, the session hides the saved ones.
        let hidesCards =
            if case .newCard = state.presentation.current { true } else { false }
        let isLocked =
            snapshot.instrumentMode.map {
                $0 != method || hidesCards || snapshot.hides(attempt.choice)
            } ?? false
        guard isLocked || snapshot.method(method) == nil else { return nil }
        guard attempt.customizations < limits.customizations,
            let operation = snapshot.sessionOperation(.customizePayment)
        else {
            return .record([
                .problem(methodNotAvailable(.notUsable, method.rawValue))
            ])
        }
        return request(operation, sending: .presentation(.all), in: state)
    }

    /// R18 and R19: expands the method, then starts the attempt.
    func attemptStep(in state: PaymentState, _ snapshot: Snapshot) -> Step? {
        guard let attempt = state.attempt, !attempt.isStarted, let body = attempt.choice.startBody
        else { return nil }
        let method = attempt.choice.method
        // One payment at a time: an attempt that someone else started has to end first.
        guard !snapshot.showsAttempt(besides: method) else { return nil }
        if let operation = snapshot.operation(.startPaymentAttempt, of: method) {
            return request(operation, sending: body, in: state)
        }
        guard let operation = snapshot.operation(.expandMethod, of: method) else { return nil }
        guard attempt.expansions < limits.expansions else {
            return .record([
                .problem(
                    methodNotAvailable(.noStart, method.rawValue)
                )
            ])
        }
        return request(operation, sending: .method(method), in: state)
    }

    /// After the PSP refused a request of the attempt, asks it to end the attempt where that is
    /// offered.
    ///
    /// Otherwise the session is polled until the attempt is gone, because it may still take money.
    func refusedStep(in state: PaymentState, _ snapshot: Snapshot) -> Step? {
        guard let attempt = state.attempt, attempt.isRefused else { return nil }
        if !attempt.isFailureTold,
            let step = clientFailureStep(.technicalError, nil, in: state, snapshot)
        {
            return step
        }
        let earliest = nextPoll(in: state)
        return read(in: state, notBefore: earliest, isPoll: true)
    }

}

extension Snapshot {
    /// Whether a saved card was chosen that is not among the method's prefills.
    fileprivate func hides(_ choice: Choice) -> Bool {
        guard let token = choice.card?.token else { return false }
        return !(method(choice.method)?.prefills ?? []).contains { prefill in
            if case .card(let card) = prefill { card.token == token } else { false }
        }
    }
}

extension [MethodOffer] {
    /// The saved cards, by rank.
    package var savedCards: [SavedCard] {
        flatMap(\.prefills).compactMap { prefill in
            if case .card(let card) = prefill { card } else { nil }
        }
    }
}

extension Choice {
    /// The body that starts the attempt; `nil` for instruments that the PSP's own page starts.
    ///
    /// - Note: Source: payment session API, start-payment-attempt.
    var startBody: OperationBody? {
        if instrument.takesNumber { return .swishAttempt(msisdn: msisdn) }
        if let card { return .cardAttempt(token: card.token) }
        return instrument.isWallet ? .walletAttempt : nil
    }
}

extension Rel {
    /// Whether a definite refusal of the operation means that the attempt never began at the PSP.
    var beginsAttempt: Bool {
        self == .startPaymentAttempt || self == .expandMethod || self == .customizePayment
    }
}
