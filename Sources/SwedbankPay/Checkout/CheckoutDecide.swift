internal import EventLog
internal import Workflow

/// The rules of a checkout.
struct CheckoutRules: KindRules {
    var policy: Policy

    func checkRoom(for command: SessionCommand, in checkout: CheckoutState) throws(Rejection) {
        if checkout.sequence >= limits.events - limits.eventReserve, command.isFromOutside {
            throw .limitReached("session.events")
        }
    }

    func startAttempt(
        _ request: ChoiceRequest,
        in checkout: CheckoutState
    ) throws(Rejection) -> [SessionEvent] {
        throw .notANativeSession
    }

    func retry(by who: String, in checkout: CheckoutState) throws(Rejection) -> [SessionEvent] {
        // Also allowed after the end: a capture may not have been completed.
        guard checkout.outcome != nil else { return try retryFailed(by: who, in: checkout) }
        guard checkout.isStalled else { throw .nothingToRetry }
        return [.retryRequested(RetryRequested(by: who))]
    }

    func refetch(by who: String, in checkout: CheckoutState) -> [SessionEvent] {
        guard checkout.order?.id != nil, checkout.readReason == nil || checkout.isStalled else {
            return []
        }
        return [.refetchRequested(RefetchRequested(by: who))]
    }

    func mayAdopt(_ order: String, in checkout: CheckoutState) throws(Rejection) {
        guard checkout.running == nil else { throw .stillGoing }
        // A response has shown the order, or nothing was sent that may have created one.
        guard checkout.newest == nil, checkout.creation.isUncertain else { throw .orderNotLost }
    }

    func receive(
        _ callback: CallbackReceived,
        in checkout: CheckoutState,
        at now: Instant
    ) throws(Rejection) -> [SessionEvent] {
        // While the order is about to be read anyway, a further callback adds nothing.
        guard checkout.readReason != .callback else { return [] }
        // Beyond the limit they have to be some time apart: a refund may come after any number.
        guard
            checkout.callbacks < limits.callbacks
                || checkout.requests.lastResponseAt.map({ now - $0 >= limits.orderBackstop })
                    ?? true
        else { throw .limitReached("session.callbacks") }
        return [.callbackReceived(callback)]
    }

    func facts(
        of command: CheckoutCommand,
        in checkout: CheckoutState
    ) throws(Rejection) -> [SessionEvent] {
        if checkout.sequence >= limits.events { throw .limitReached("session.events") }
        switch command {
        case .open, .confirm, .report: return []
        case .instrument(let name): return try choose(name, in: checkout)
        case .transact(let request, let currency):
            return try transact(request, currency, in: checkout)
        case .handOver(let session): return try handOver(to: session, in: checkout)
        case .handBack(let handed): return handBack(handed, in: checkout)
        }
    }
}

/// The commands that only checkouts accept.
extension CheckoutRules {
    /// Requests that the client show the PSP's page, with all methods or locked to one.
    func present(
        _ mode: MenuMode,
        in checkout: CheckoutState
    ) throws(Rejection) -> [SessionEvent] {
        if let outcome = checkout.outcome { throw .sessionEnded(outcome) }
        guard !checkout.awaitsResult else { throw .menuResultAwaited }
        guard checkout.actions.count < limits.actions else {
            throw .limitReached("session.actions")
        }
        // A charge by token has no page to show.
        guard !checkout.chargesAtCreation else { throw .menuMethodNotOffered(offered: []) }
        switch mode {
        case .restricted: throw .menuMethodNotOffered(offered: checkout.instruments)
        case .instrument(let name):
            let isNew = try !choose(name, in: checkout).isEmpty
            return isNew || !checkout.isPageShown
                ? [.menuChosen(MenuChosen(mode: mode))] : []
        case .menu:
            guard !checkout.isPageShown else { return [] }
            return [.menuChosen(MenuChosen(mode: mode))]
        }
    }

    /// Requests another method; only an order that is locked to one method can be locked to
    /// another.
    ///
    /// - Note: Source: merchant backend API, instrument change.
    private func choose(
        _ name: PaymentMethodName,
        in checkout: CheckoutState
    ) throws(Rejection) -> [SessionEvent] {
        if let outcome = checkout.outcome { throw .sessionEnded(outcome) }
        guard let order = checkout.order else { throw .stillOpening }
        guard !checkout.awaitsResult else { throw .menuResultAwaited }
        guard checkout.isInstrumentMode else { throw .notInInstrumentMode }
        guard order.availableInstruments.isEmpty || order.availableInstruments.contains(name) else {
            throw .menuMethodNotOffered(offered: order.availableInstruments)
        }
        if (checkout.wantedInstrument ?? order.instrument) == name { return [] }
        guard checkout.actions.count < limits.actions else {
            throw .limitReached("session.actions")
        }
        return [.checkout(.instrumentChosen(InstrumentChosen(instrument: name)))]
    }

    /// Starts a transaction on a paid order, one at a time; a reference that was already used
    /// identifies the same transaction.
    private func transact(
        _ request: TransactionRequest,
        _ currency: String?,
        in checkout: CheckoutState
    ) throws(Rejection) -> [SessionEvent] {
        let ordered = checkout.order?.currency ?? checkout.opening.terms.currency
        if let currency, let ordered, currency != ordered {
            throw .currencyDiffers(ordered: ordered)
        }
        if let known = checkout.transactions.first(where: {
            $0.request.payeeReference == request.payeeReference
        }) {
            guard known.request.isSame(as: request) else { throw .referenceUsed }
            return []
        }
        let order = try paidOrder(of: checkout)
        try check(request, against: order, of: checkout)
        try mayTransact(request.kind, again: request.again, in: checkout)
        if let remaining = order.remaining(for: request.kind), let amount = request.amount,
            amount > remaining
        {
            throw .amountTooLarge(remaining: remaining, currency: order.currency)
        }
        return [.checkout(.transactionRequested(request))]
    }

    /// Returns the order that transactions change.
    ///
    /// The word `Reversed` does not say that nothing is left of it.
    private func paidOrder(of checkout: CheckoutState) throws(Rejection) -> OrderSnapshot {
        guard checkout.opening.gateway == .psp else { throw .transactionsNotPossible }
        guard let order = checkout.order, order.status == .paid || order.status == .reversed else {
            throw .orderNotPaid
        }
        guard !checkout.isSetBack else { throw .transactionLost }
        return order
    }

    /// Throws unless a transaction of a kind may be requested now, whatever its amount.
    func mayTransact(
        _ kind: TransactionKind,
        again: Bool,
        in checkout: CheckoutState
    ) throws(Rejection) {
        _ = try paidOrder(of: checkout)
        if let other = checkout.transactions.first(where: {
            $0.result.map { $0 == .accepted } ?? true
        }) {
            throw .transactionRunning(other.request.kind)
        }
        let refused = checkout.refusedInARow(kind)
        guard refused < limits.refusedTransactions || again else {
            throw .refusedInARow(kind, refused)
        }
    }

    /// Rejects a transaction that the PSP would refuse, or that could not be found again.
    ///
    /// - Note: Source: payment order API, capture, cancel, reversal; payeeReference.
    private func check(
        _ request: TransactionRequest,
        against order: OrderSnapshot,
        of checkout: CheckoutState
    ) throws(Rejection) {
        let problems = request.problems()
        guard problems.isEmpty else { throw .malformedTransaction(problems) }
        let reference = request.payeeReference
        let known = [checkout.opening.payeeReference, order.paid?.payeeReference]
        guard !known.contains(reference),
            order.transactions?.contains(where: { $0.payeeReference == reference }) != true
        else { throw .referenceUsed }
    }
}

extension CheckoutState {
    /// The methods that the order can be locked to.
    var instruments: [PaymentMethodName] { order?.availableInstruments ?? [] }

    /// Whether the order is locked to one method.
    var isInstrumentMode: Bool {
        order?.isInstrumentMode ?? (order?.instrument != nil && opening.terms.instrument != nil)
    }

    /// The number of transactions that the PSP refused in a row, as far as it counts them.
    package func refusedInARow(_ kind: TransactionKind) -> Int {
        let own = transactions.filter { $0.request.kind == kind }
        let success = own.lastIndex { $0.result == .done || $0.result == .accepted }
        return own[(success.map { $0 + 1 } ?? 0)...].count(where: \.isCounted)
    }

    /// Whether there is an order that can be read.
    var canBeRead: Bool { order?.id != nil && readsOrders != false }

    var isWatched: Bool { order != nil }
}

extension CheckoutState {
    /// Whether the payer reportedly finished, and it has not yet been reported that the order is
    /// not paid.
    var awaitsResult: Bool { left == .completed && progress.problem?.problem.kind != .notConfirmed }

    /// Whether the client shows the page of the order in its current form.
    var isPageShown: Bool {
        guard let page else { return false }
        return progress.actions.contains { $0.id == page && $0.isOpen }
    }

    /// Whether anything was started that may have paid.
    var mayHaveBeenPaid: Bool {
        !nativeSessions.isEmpty
            || progress.actions.contains { if case .showMenu = $0.kind { true } else { false } }
    }
}
