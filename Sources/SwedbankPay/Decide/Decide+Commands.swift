internal import EventLog
internal import Workflow

extension SessionDecider {
    func facts(
        of command: SessionCommand,
        in state: SessionState,
        at now: Instant
    ) throws(Rejection) -> [SessionEvent] {
        if case .open(let opened) = command {
            guard !state.isOpen else { throw .alreadyOpen }
            return [.opened(opened)]
        }
        if case .checkout(let command) = command { return try facts(of: command, in: state) }
        guard state.isOpen else { throw .notOpen }
        if case .recordOperator(let acted) = command { return try record(acted, in: state) }
        if case .close(let acted) = command { return try close(acted, in: state, at: now) }
        if case .callback(let received) = command {
            // While the session is about to be read anyway, a further call says nothing more.
            return state.outcome == nil && state.requests.need != nil
                ? [] : [.callbackReceived(received)]
        }
        if state.outcome == nil, state.sequence >= limits.events {
            throw .limitReached("session.events")
        }
        switch command {
        case .open, .recordOperator, .close, .callback, .checkout: return []
        case .attempt(let request): return try startAttempt(request, in: state)
        case .menu(let mode): return try chooseMenu(mode, in: state)
        case .returned(let form): return try returned(form, in: state)
        case .retry(let who): return try retry(by: who, in: state)
        case .refetch(let who): return refetch(by: who, in: state)
        case .abort(let who): return try abort(by: who, in: state)
        }
    }

    /// What a person did; what they found out about money only where it is unknown.
    func record(
        _ acted: OperatorActed,
        in state: SessionState
    ) throws(Rejection) -> [SessionEvent] {
        if acted.resolution != nil {
            guard state.money.standing == .unknown else { throw .nothingUnknown }
            guard acted.reason?.isEmpty == false else { throw .reasonMissing }
        }
        return [.operatorActed(acted)]
    }

    /// Starts an attempt while the methods are known and none is running.
    private func startAttempt(
        _ request: ChoiceRequest,
        in state: SessionState
    ) throws(Rejection) -> [SessionEvent] {
        try mayChoose(in: state)
        guard state.attemptCount < limits.attempts else {
            throw .limitReached("session.attempts")
        }
        let choice = try choice(for: request, in: state)
        return [
            .attemptStarted(AttemptStarted(number: state.attemptCount + 1, choice: choice))
        ]
    }

    /// A choice may be made when the methods are known and nothing else is under way; the PSP's page, as long as it is
    /// open, may be left for something else.
    private func mayChoose(in state: SessionState) throws(Rejection) {
        if let outcome = state.outcome { throw .sessionEnded(outcome) }
        guard !state.offers.isEmpty else { throw .stillOpening }
        // Who finished on the page may have paid: nothing is begun before the PSP has said.
        guard !state.awaitsResultOfPage else { throw .menuResultAwaited }
        if let running = state.attempt, !state.mayBeSuperseded, !state.mayLeavePage {
            throw .attemptRunning(number: running.number, running.choice.instrument)
        }
        guard state.abortRequestedBy == nil else { throw .limitReached("session.abort-under-way") }
    }

    /// The payer wants to pay on the PSP's page; the same wish again, while it is open, changes nothing.
    private func chooseMenu(
        _ wish: MenuMode,
        in state: SessionState
    ) throws(Rejection) -> [SessionEvent] {
        try mayChoose(in: state)
        let offered = state.offers.map(\.method)
        let mode = wish.withWireNames
        for method in mode.methods where !offered.contains(method) {
            throw .menuMethodNotOffered(offered: offered.withoutRepetition)
        }
        if state.isPageOpen, state.menu?.mode == mode, state.menu?.isOverdue == false,
            !state.isStalled
        {
            return []
        }
        guard state.actions.count < limits.actions else { throw .limitReached("session.actions") }
        return [.menuChosen(MenuChosen(mode: mode))]
    }

    private func choice(
        for request: ChoiceRequest,
        in state: SessionState
    ) throws(Rejection) -> Choice {
        let (instrument, offers) = (request.instrument, state.offers)
        switch request {
        case .swish(let msisdn):
            try require(instrument, among: offers)
            return .swish(msisdn: msisdn)
        case .card(let rank, let seenAt):
            return try savedCard(at: rank, seenAt: seenAt ?? 0, in: state)
        case .savedCard(let identity):
            return try savedCard(identity, among: offers)
        case .newCard(let showsConsent):
            try require(instrument, among: offers)
            return .newCard(showsConsent: showsConsent)
        case .applePay(let identifier):
            try require(instrument, among: offers)
            return .applePay(merchantIdentifier: identifier)
        case .googlePay:
            try require(instrument, among: offers)
            return .googlePay
        case .clickToPay:
            try require(instrument, among: offers)
            return .clickToPay
        }
    }

    /// The card at a place of the list that the client saw: refused once another card stands there.
    private func savedCard(
        at rank: Int,
        seenAt: Int64,
        in state: SessionState
    ) throws(Rejection) -> Choice {
        let cards = state.offers.savedCards
        guard !cards.isEmpty else {
            throw .methodNotOffered(.card, offered: state.offers.map(\.instrument))
        }
        guard let card = cards.first(where: { $0.rank == rank }) else {
            throw .prefillNotOffered(rank: rank, offered: cards.map(\.rank))
        }
        if let place = state.cardPlaces[rank], place.since > seenAt {
            throw .prefillChanged(rank: rank)
        }
        return .card(rank: card.rank, token: card.token)
    }

    /// The one card that is meant.
    private func savedCard(
        _ identity: CardIdentity,
        among offers: [MethodOffer]
    ) throws(Rejection) -> Choice {
        let meant = offers.savedCards.filter(identity.isMeant)
        guard let card = meant.first else {
            guard offers.offer(.card) else {
                throw .methodNotOffered(.card, offered: offers.map(\.instrument))
            }
            throw .cardNotOffered
        }
        guard meant.count == 1 else { throw .cardAmbiguous(ranks: meant.map(\.rank)) }
        return .card(rank: card.rank, token: card.token)
    }

    private func require(
        _ instrument: Instrument,
        among offers: [MethodOffer]
    ) throws(Rejection) {
        guard offers.offer(instrument) else {
            throw .methodNotOffered(instrument, offered: offers.map(\.instrument))
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

    func retry(
        by who: String,
        in state: SessionState
    ) throws(Rejection) -> [SessionEvent] {
        if let outcome = state.outcome { throw .sessionEnded(outcome) }
        let mayBeRetried =
            state.problem?.problem.isRetryable == true && state.problem?.problem.origin != .session
        guard mayBeRetried || (state.requests.awaitsRetry && state.running == nil) else {
            throw .nothingToRetry
        }
        return [.retryRequested(RetryRequested(by: who))]
    }

    /// Nothing for a session that is over, or that is about to be read anyway.
    private func refetch(by who: String, in state: SessionState) -> [SessionEvent] {
        guard state.outcome == nil, state.requests.need == nil || state.isStalled else { return [] }
        return [.refetchRequested(RefetchRequested(by: who))]
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

extension MenuMode {
    /// The pseudo name that clients give the entry of a new card is `CreditCard` on the wire (flaw F-24).
    fileprivate var withWireNames: MenuMode {
        func wireName(_ name: PaymentMethodName) -> PaymentMethodName {
            name.rawValue == "NewCreditCard" ? .creditCard : name
        }
        switch self {
        case .menu: return .menu
        case .restricted(let names): return .restricted(names.map(wireName).withoutRepetition)
        case .instrument(let name): return .instrument(wireName(name))
        }
    }

    /// The methods that it names.
    fileprivate var methods: [PaymentMethodName] {
        switch self {
        case .menu: []
        case .restricted(let names): names
        case .instrument(let name): [name]
        }
    }
}

extension [PaymentMethodName] {
    /// Each name once, in the order of its first appearance.
    fileprivate var withoutRepetition: [PaymentMethodName] {
        var seen: Set<PaymentMethodName> = []
        return filter { seen.insert($0).inserted }
    }
}

extension SessionState {
    /// Whether the running attempt is stuck for good, so that the payer may choose anew.
    var mayBeSuperseded: Bool {
        isStalled && problem.map { !$0.problem.isRetryable } ?? false
    }

    /// Whether the PSP's page may be left for something else: it is open, or the payer has closed it.
    fileprivate var mayLeavePage: Bool { isPageOpen || page?.closed == .canceled }
}
