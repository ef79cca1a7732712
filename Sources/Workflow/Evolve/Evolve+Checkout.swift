/// What checkouts have beside what any session has.
extension SessionState {
    mutating func apply(_ event: CheckoutEvent) {
        switch event {
        case .checkoutOpened(let opened): apply(opened)
        case .orderConfirmed(let confirmed): confirmation = confirmed
        case .endpointsDiscovered(let discovered):
            noteReading()
            checkout?.endpoints = discovered.endpoints
        case .checkInOffered(let offered): checkout?.checkIn = .offered(script: offered.script)
        case .checkInRequested(let requested):
            request(requested.action, as: .checkIn(script: requested.script))
            checkout?.checkIn = .requested(script: requested.script, requested.action)
        case .checkInShown(let answer): show(answer.action)
        case .payerCheckedIn(let checkedIn):
            checkedIn.action.answers(
                .checkedIn(consumerProfileRef: checkedIn.consumerProfileRef),
                in: &self
            )
            checkout?.checkIn = .done(consumerProfileRef: checkedIn.consumerProfileRef)
        case .checkInClosed(let answer):
            answer.action.answers(.canceled, in: &self)
            checkout?.checkIn = .unwanted
        case .checkInFailed(let failure):
            failure.action.answers(.failed(error: failure.error), in: &self)
        case .orderFetched(let fetched): apply(fetched)
        case .instrumentChosen(let chosen):
            checkout?.wantedInstrument = chosen.instrument
            setback = nil
            problem = nil
            wakeFromStall()
        case .externalContentOpened, .navigated, .termsOfServiceOpened: break
        case .handedOver(let handed): apply(handed)
        case .handedBack(let handed): apply(handed)
        case .transactionRequested(let request):
            checkout?.transactions.append(OrderTransaction(request: request))
            problem = nil
            isStalled = false
            setback = nil
        case .transactionSettled(let settled): apply(settled)
        }
    }

    private mutating func apply(_ opened: CheckoutOpened) {
        guard !isOpen else { return }
        kind = .checkout(CheckoutState(opened))
        openedAt = lastAt
        orderURLs = opened.terms.urls
        // An order that doesn't exist can't be read.
        reading.need = nil
    }

    private mutating func request(_ action: ActionID, as kind: ClientAction.Kind) {
        actions.append(ClientAction(id: action, kind: kind, requestedAt: lastAt))
    }

    /// A request that only reads was answered.
    private mutating func noteReading() {
        reading.count += 1
        reading.need = nil
        reading.notBefore = nil
        reading.setback = nil
        reading.unusableAnswers = 0
        reading.lastAnswerAt = lastAt
    }

    private mutating func apply(_ fetched: OrderFetched) {
        guard var checkout else { return }
        reading.lastAnswerAt = lastAt
        reading.unusableAnswers = 0
        if fetched.cause == .order {
            noteReading()
            checkout.looks += 1
            checkout.news = nil
            checkout.readsOrders = true
            for index in checkout.transactions.indices {
                checkout.transactions[index].isOrderFresh = true
            }
        } else {
            reading.need = nil
            reading.notBefore = nil
        }
        checkout.digest = fetched.digest
        if let newest = fetched.order {
            checkout.order = checkout.order?.updated(by: newest) ?? newest
            orderURLs = newest.urls.completed(by: orderURLs)
        }
        if let newest = fetched.order { checkout.newest = newest }
        let changesInstrument = fetched.cause.isInstrumentChange
        if changesInstrument { checkout.takeInstrument(checkout.newest?.instrument) }
        self.checkout = checkout
        if changesInstrument { withdrawOpenActions() }
    }

    private mutating func apply(_ handed: HandedOver) {
        withdrawOpenActions()
        checkout?.page = nil
        checkout?.nativeSession = handed.session
        checkout?.nativeSessions.append(handed.session)
        problem = nil
    }

    private mutating func apply(_ handed: HandedBack) {
        guard checkout?.nativeSession == handed.session else { return }
        checkout?.nativeSession = nil
        checkout?.looks = 0
        switch handed.outcome {
        case nil: checkout?.isWanted = true
        case .completed:
            checkout?.left = .completed
            checkout?.news = .session
        case .canceled:
            checkout?.left = .canceled
            checkout?.news = .session
        case .failed, .expired: checkout?.news = .session
        }
    }

    private mutating func apply(_ settled: TransactionSettled) {
        guard
            let index = checkout?.transactions.lastIndex(where: {
                $0.request.payeeReference == settled.payeeReference
            })
        else { return }
        checkout?.transactions[index].result = settled.result
        setback = nil
        if settled.result != .accepted { reading.need = nil }
    }

    /// The client was asked to show the PSP's page of the order.
    mutating func applyPageOfOrder(_ requested: MenuRequested) {
        withdrawOpenActions()
        request(requested.action, as: .showMenu(script: requested.script, mode: requested.mode))
        problem = nil
        checkout?.page = requested.action
        checkout?.left = nil
        checkout?.looks = 0
        checkout?.isWanted = true
    }

    /// The payer wants the PSP's page, for the first time or again.
    mutating func applyWishForPage() {
        checkout?.isWanted = true
        checkout?.left = nil
        checkout?.nativeSession = nil
        problem = nil
        wakeFromStall()
    }

    /// The PSP called: whatever happened, the order tells.
    mutating func noteNewsOfOrder() {
        checkout?.news = .callback
        checkout?.looks = 0
    }

    /// The payer left the PSP's page: the order tells what became of it.
    mutating func applyLeftPageOfOrder(_ closed: MenuClosed) {
        guard checkout?.page == closed.action else { return }
        checkout?.page = nil
        checkout?.left = closed.outcome
        checkout?.looks = 0
        checkout?.news = .payer
    }

    /// What became of a request that changes something, for the order that it was about.
    mutating func noteForOrder(_ succeeded: OperationSucceeded) {
        guard checkout != nil else { return }
        // What the answer doesn't tell, the order does.
        if succeeded.content != .snapshot, !succeeded.rel.onlyReads, checkout?.order?.id != nil {
            reading.need = .emptyAnswer
        }
        if let index = checkout?.transactions.firstIndex(where: { $0.isUnderWay }),
            Rel.names(of: checkout?.transactions[index].request.kind ?? .capture)
                .contains(succeeded.rel)
        {
            checkout?.transactions[index].isTaken = true
            checkout?.transactions[index].isOrderFresh = false
            reading.need = .emptyAnswer
        }
        if succeeded.rel == .paymentOrders { checkout?.lostCreation = false }
        if succeeded.rel.isInstrumentChange, succeeded.content != .snapshot {
            checkout?.takeInstrument(nil)
            withdrawOpenActions()
        }
    }

    /// The same for one that failed.
    mutating func noteForOrder(_ failed: OperationFailed) {
        guard checkout != nil else { return }
        if failed.rel == .order, failed.status != nil, failed.retryAt == nil,
            checkout?.opening.gateway == .merchantBackend
        {
            // The backend doesn't let orders be read: nobody asks it again.
            checkout?.readsOrders = false
            checkout?.news = nil
            reading.need = nil
            reading.setback = nil
        }
        guard !failed.rel.onlyReads else { return }
        if failed.rel == .paymentOrders {
            if failed.reach == .maybeSent || (failed.status ?? 0) >= 500 {
                checkout?.lostCreation = true
            } else if failed.reach == .answered, failed.retryAt != nil, failed.status != 429 {
                checkout?.lostCreation = false
                checkout?.renewals += 1
                setback = nil
            }
        }
        // An order that doesn't exist can't be read.
        if checkout?.order?.id == nil {
            reading.need = nil
            reading.notBefore = nil
        }
        if failed.retryAt == nil, failed.rel.isInstrumentChange { checkout?.wantedInstrument = nil }
        if failed.retryAt == nil, failed.status != nil { reading.need = nil }
    }
}

extension CheckoutState {
    /// After a check-in that failed, asking again shows it again.
    mutating func askAgain() {
        if case .requested(let script, _) = checkIn { checkIn = .offered(script: script) }
    }

    /// The order is locked to another method: the page has to be shown anew.
    fileprivate mutating func takeInstrument(_ answered: PaymentMethodName?) {
        let taken = answered ?? wantedInstrument
        order?.instrument = taken
        if taken == wantedInstrument { wantedInstrument = nil }
        page = nil
    }
}

extension OrderTransaction {
    /// Whether it has not come to an end.
    var isUnderWay: Bool { result == nil }
}

extension Rel {
    /// Whether it locks an order to another method.
    var isInstrumentChange: Bool {
        self == .setInstrument || self == .updateInstrument || self == .backendInstrument
    }
}
