internal import EventLog

/// What may be asked of a checkout.
extension SessionDecider {
    func facts(
        of command: CheckoutCommand,
        in state: SessionState
    ) throws(Rejection) -> [SessionEvent] {
        switch command {
        case .open(let opened):
            guard !state.isOpen else { throw .alreadyOpen }
            return [.checkout(.checkoutOpened(opened))]
        case .confirm(let confirmed):
            guard state.isOpen else { throw .notOpen }
            guard state.confirmation == nil else { return [] }
            return [.checkout(.orderConfirmed(confirmed))]
        case .instrument, .transact, .handOver, .handBack: break
        }
        guard state.isOpen else { throw .notOpen }
        guard let checkout = state.checkout else { throw .notACheckout }
        if state.sequence >= limits.events { throw .limitReached("session.events") }
        switch command {
        case .open, .confirm: return []
        case .instrument(let name): return try choose(name, in: state, checkout)
        case .transact(let request): return try transact(request, in: checkout)
        case .handOver(let session): return try handOver(to: session, in: state, checkout)
        case .handBack(let handed):
            guard state.outcome == nil else { return [] }
            let isNew =
                handed.outcome == nil
                ? checkout.nativeSession == handed.session
                : !checkout.endedSessions.contains(handed.session)
            return isNew ? [.checkout(.handedBack(handed))] : []
        }
    }

    /// What any session can be asked, asked of a checkout.
    func facts(
        of command: SessionCommand,
        in state: SessionState,
        _ checkout: CheckoutState,
        at now: Instant
    ) throws(Rejection) -> [SessionEvent] {
        if state.sequence >= limits.events - limits.eventReserve, command.isFromOutside {
            throw .limitReached("session.events")
        }
        switch command {
        case .open: throw .alreadyOpen
        case .attempt: throw .notANativeSession
        case .menu(let mode): return try present(mode, in: state, checkout)
        case .returned(let form):
            guard let form else { throw .notThisPaymentURL }
            guard state.outcome == nil else { return [] }
            return [.returned(Returned(form: form))]
        case .retry(let who):
            // Also after the end: a capture may have been left undone.
            guard state.outcome != nil else { return try retry(by: who, in: state) }
            guard state.isStalled else { throw .nothingToRetry }
            return [.retryRequested(RetryRequested(by: who))]
        case .refetch(let who):
            guard checkout.order?.id != nil, checkout.news == nil || state.isStalled else {
                return []
            }
            return [.refetchRequested(RefetchRequested(by: who))]
        case .abort(let who):
            if let outcome = state.outcome { throw .sessionEnded(outcome) }
            guard state.abortRequestedBy == nil || state.isStalled else { return [] }
            return [.abortRequested(AbortRequested(by: who))]
        case .callback(let received):
            // While the order is about to be read anyway, a further call says nothing more.
            guard checkout.news != .callback else { return [] }
            guard checkout.callbacks < limits.callbacks else {
                throw .limitReached("session.callbacks")
            }
            return [.callbackReceived(received)]
        case .recordOperator(let acted): return try record(acted, in: state)
        case .close(let acted): return try close(acted, in: state, at: now)
        case .checkout(let command): return try facts(of: command, in: state)
        }
    }

    /// The client shall show the PSP's page, with all methods or locked to one.
    private func present(
        _ mode: MenuMode,
        in state: SessionState,
        _ checkout: CheckoutState
    ) throws(Rejection) -> [SessionEvent] {
        if let outcome = state.outcome { throw .sessionEnded(outcome) }
        guard !state.awaitsResult(checkout) else { throw .menuResultAwaited }
        guard state.actions.count < limits.actions else { throw .limitReached("session.actions") }
        // Nobody is shown a page for a charge by token.
        guard !checkout.chargesAtCreation else { throw .menuMethodNotOffered(offered: []) }
        switch mode {
        case .restricted: throw .menuMethodNotOffered(offered: checkout.instruments)
        case .instrument(let name):
            let isNew = try !choose(name, in: state, checkout).isEmpty
            return isNew || !state.isPageShown(checkout)
                ? [.menuChosen(MenuChosen(mode: mode))] : []
        case .menu:
            guard !state.isPageShown(checkout) else { return [] }
            return [.menuChosen(MenuChosen(mode: mode))]
        }
    }

    /// Only an order that is locked to one method can be locked to another.
    ///
    /// - Note: Source: merchant backend API, instrument change.
    private func choose(
        _ name: PaymentMethodName,
        in state: SessionState,
        _ checkout: CheckoutState
    ) throws(Rejection) -> [SessionEvent] {
        if let outcome = state.outcome { throw .sessionEnded(outcome) }
        guard let order = checkout.order else { throw .stillOpening }
        guard !state.awaitsResult(checkout) else { throw .menuResultAwaited }
        guard checkout.isInstrumentMode else { throw .notInInstrumentMode }
        guard order.availableInstruments.isEmpty || order.availableInstruments.contains(name) else {
            throw .menuMethodNotOffered(offered: order.availableInstruments)
        }
        if (checkout.wantedInstrument ?? order.instrument) == name { return [] }
        guard state.actions.count < limits.actions else { throw .limitReached("session.actions") }
        return [.checkout(.instrumentChosen(InstrumentChosen(instrument: name)))]
    }

    /// One transaction at a time, of an order that is paid; a reference that was used is the same transaction again.
    private func transact(
        _ request: TransactionRequest,
        in checkout: CheckoutState
    ) throws(Rejection) -> [SessionEvent] {
        if let known = checkout.transactions.first(where: {
            $0.request.payeeReference == request.payeeReference
        }) {
            guard known.request == request else { throw .referenceUsed }
            return []
        }
        guard checkout.opening.gateway == .psp else { throw .transactionsNotPossible }
        guard let order = checkout.order, order.status == .paid else { throw .orderNotPaid }
        try check(request, against: order, of: checkout)
        if let other = checkout.transactions.first(where: {
            $0.result.map { $0 == .accepted } ?? true
        }) {
            throw .transactionRunning(other.request.kind)
        }
        guard checkout.refusedInARow(request.kind) < limits.refusedTransactions else {
            throw .limitReached("order.refused-transactions")
        }
        let remaining: Int64? =
            switch request.kind {
            case .capture: order.remainingCapture
            case .reversal: order.remainingReversal
            case .cancel: nil
            }
        if let remaining, let amount = request.amount, amount > remaining {
            throw .amountTooLarge(remaining: remaining)
        }
        return [.checkout(.transactionRequested(request))]
    }

    /// What the PSP would refuse, or what nobody could find again, is not begun.
    ///
    /// - Note: Source: payment order API, capture, cancel, reversal; payeeReference.
    private func check(
        _ request: TransactionRequest,
        against order: OrderSnapshot,
        of checkout: CheckoutState
    ) throws(Rejection) {
        let reference = request.payeeReference
        let isPlain = reference.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit }
        guard isPlain, (1...30).contains(reference.utf8.count) else {
            throw .malformedTransaction("payeeReference")
        }
        let known = [checkout.opening.payeeReference, order.paid?.payeeReference]
        guard !known.contains(reference),
            order.transactions?.contains(where: { $0.payeeReference == reference }) != true
        else { throw .referenceUsed }
        guard request.kind != .cancel else { return }
        guard let amount = request.amount, amount > 0 else { throw .malformedTransaction("amount") }
        guard let vat = request.vatAmount, (0...amount).contains(vat) else {
            throw .malformedTransaction("vatAmount")
        }
    }

    private func handOver(
        to session: SessionID,
        in state: SessionState,
        _ checkout: CheckoutState
    ) throws(Rejection) -> [SessionEvent] {
        if let outcome = state.outcome { throw .sessionEnded(outcome) }
        guard checkout.order?.operation([.viewPaymentSession]) != nil else {
            throw .stillOpening
        }
        guard !state.awaitsResult(checkout) else { throw .menuResultAwaited }
        if checkout.nativeSession == session { return [] }
        return [.checkout(.handedOver(HandedOver(session: session)))]
    }
}

extension CheckoutState {
    /// The methods that the order can be locked to.
    var instruments: [PaymentMethodName] { order?.availableInstruments ?? [] }

    /// Whether the order is locked to one method.
    var isInstrumentMode: Bool {
        order?.isInstrumentMode ?? (order?.instrument != nil && opening.terms.instrument != nil)
    }

    /// How many transactions were refused since one was not.
    ///
    /// - Note: Source: payment order API, capture: after five failures in a row the PSP locks the order.
    func refusedInARow(_ kind: TransactionKind) -> Int {
        transactions.reversed().filter { $0.request.kind == kind }
            .prefix { $0.result == .refused && $0.isAnsweredNo }.count
    }

    /// Whether there is an order, and somebody who reads it to us.
    var canBeRead: Bool { order?.id != nil && readsOrders != false }
}

extension SessionState {
    /// Whether the payer finished, by somebody's account, and nobody has been told that the order is not paid.
    func awaitsResult(_ checkout: CheckoutState) -> Bool {
        checkout.left == .completed && problem?.problem.kind != .notConfirmed
    }

    /// Whether the client shows the order's page, as the order is now.
    func isPageShown(_ checkout: CheckoutState) -> Bool {
        guard let page = checkout.page else { return false }
        return actions.contains { $0.id == page && $0.isOpen }
    }
}

extension SessionCommand {
    /// Whether somebody outside could ask for it again and again: room in the log is kept from these.
    fileprivate var isFromOutside: Bool {
        switch self {
        case .menu, .returned, .refetch, .callback, .checkout(.instrument), .checkout(.handOver):
            true
        case .open, .attempt, .retry, .abort, .recordOperator, .close, .checkout: false
        }
    }
}
