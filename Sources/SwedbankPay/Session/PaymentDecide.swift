internal import EventLog
internal import Workflow

/// The rules of a payment session.
struct PaymentRules: KindRules {
    var policy: Policy

    func checkRoom(for command: SessionCommand, in state: PaymentState) throws(Rejection) {
        if state.outcome == nil, state.sequence >= limits.events, !command.hasRoomAlways {
            throw .limitReached("session.events")
        }
    }

    /// The event for a callback; none while the session is about to be read anyway, because a
    /// further callback adds no information.
    func receive(
        _ callback: CallbackReceived,
        in state: PaymentState,
        at now: Instant
    ) -> [SessionEvent] {
        state.outcome == nil && state.requests.need != nil ? [] : [.callbackReceived(callback)]
    }

    func retry(by who: String, in state: PaymentState) throws(Rejection) -> [SessionEvent] {
        // After the end, a read that failed may be tried again.
        guard state.outcome != nil, state.isStalled else {
            return try retryFailed(by: who, in: state)
        }
        return [.retryRequested(RetryRequested(by: who))]
    }

    /// The event for a request to read the session, also after the end; none when it is about to be
    /// read anyway.
    func refetch(by who: String, in state: PaymentState) -> [SessionEvent] {
        guard state.sequence < limits.events, state.requests.need == nil || state.isStalled else {
            return []
        }
        return [.refetchRequested(RefetchRequested(by: who))]
    }

    func abort(by who: String, in state: PaymentState) throws(Rejection) -> [SessionEvent] {
        guard state.snapshot != nil || state.outcome != nil else { throw .stillOpening }
        return try requestAbort(by: who, in: state)
    }
}

/// The payer's choices.
extension PaymentRules {
    /// Starts an attempt while the methods are known and none is running.
    func startAttempt(
        _ request: ChoiceRequest,
        in state: PaymentState
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

    /// Throws unless a choice may be made: the methods are known and no other attempt is in
    /// progress; an open PSP page may be left for another choice.
    private func mayChoose(in state: PaymentState) throws(Rejection) {
        if let outcome = state.outcome { throw .sessionEnded(outcome) }
        guard !state.offers.isEmpty else { throw .stillOpening }
        // A payer who finished on the page may have paid, so no attempt is started before the PSP
        // has reported the result.
        guard !state.awaitsResultOfPage else { throw .menuResultAwaited }
        if let running = state.attempt, !state.mayBeSuperseded, !state.mayLeavePage {
            throw .attemptRunning(number: running.number, running.choice.instrument)
        }
        guard state.abortRequestedBy == nil else { throw .limitReached("session.abort-under-way") }
    }

    /// Requests the PSP's page; repeating the request while the page is open has no effect.
    func present(
        _ chosen: MenuMode,
        in state: PaymentState
    ) throws(Rejection) -> [SessionEvent] {
        try mayChoose(in: state)
        let offered = state.offers.map(\.method)
        let mode = chosen.withWireNames
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
        in state: PaymentState
    ) throws(Rejection) -> Choice {
        try choice(for: request, among: state.offers) { shown, cards throws(Rejection) in
            guard let card = cards.first(where: { $0.rank == shown.rank }) else {
                throw .prefillNotOffered(rank: shown.rank, offered: cards.map(\.rank))
            }
            // Rejected when the card at that rank has changed since the list that the client saw.
            if let place = state.cardPlaces[shown.rank], place.since > shown.seenAt ?? 0 {
                throw .prefillChanged(rank: shown.rank)
            }
            return card
        }
    }

    /// The choice among the offered methods; rejected unless it is offered.
    ///
    /// - Parameters:
    ///   - request: The requested choice.
    ///   - offers: The offered methods.
    ///   - ranked: Returns the saved card that a rank means.
    /// - Returns: The choice.
    /// - Throws: A ``Rejection`` when the method or card is not offered.
    func choice<Rank>(
        for request: PaymentChoice<Sealed, CardReference<Rank, Sealed>>,
        among offers: [MethodOffer],
        ranked: (Rank, [SavedCard]) throws(Rejection) -> SavedCard
    ) throws(Rejection) -> Choice {
        let (instrument, cards) = (request.instrument, offers.savedCards)
        guard offers.contains(where: { $0.instrument == instrument }) else {
            throw .methodNotOffered(instrument, offered: offers.map(\.instrument))
        }
        func chosen(
            _ reference: CardReference<Rank, Sealed>
        ) throws(Rejection) -> ChosenCard {
            let meant: [SavedCard]
            switch reference {
            case .ranked(let rank): meant = [try ranked(rank, cards)]
            case .token(let token): meant = cards.filter { $0.token == token }
            case .seen(let seen): meant = cards.filter(seen.looksLike)
            }
            guard let card = meant.first else { throw .cardNotOffered }
            guard meant.count == 1 else { throw .cardAmbiguous(ranks: meant.map(\.rank)) }
            return ChosenCard(rank: card.rank, token: card.token)
        }
        return try request.map(msisdn: { number throws(Rejection) in number }, card: chosen)
    }
}

extension MenuMode {
    /// The mode with the names used on the wire: the pseudo name that clients give the entry for a
    /// new card is `CreditCard` on the wire (flaw F-24).
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

    /// The methods that the mode names.
    fileprivate var methods: [PaymentMethodName] {
        switch self {
        case .menu: []
        case .restricted(let names): names
        case .instrument(let name): [name]
        }
    }
}

extension [PaymentMethodName] {
    /// Each name once, in the order of first occurrence.
    var withoutRepetition: [PaymentMethodName] {
        var seen: Set<PaymentMethodName> = []
        return filter { seen.insert($0).inserted }
    }
}

extension PaymentState {
    /// Whether the running attempt is permanently stuck, so that the payer may choose again.
    var mayBeSuperseded: Bool {
        progress.isStalled && progress.problem.map { !$0.problem.isRetryable } ?? false
    }

    /// Whether the PSP's page may be left for something else: it is open, or the payer has closed
    /// it.
    fileprivate var mayLeavePage: Bool { isPageOpen || page?.closed == .canceled }
}
