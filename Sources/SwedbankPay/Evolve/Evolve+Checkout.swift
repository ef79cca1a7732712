internal import Workflow

/// What checkouts have beside what any session has.
extension SessionState {
    mutating func apply(_ event: CheckoutEvent) {
        switch event {
        case .checkoutOpened(let opened): apply(opened)
        case .orderConfirmed(let confirmed): confirmation = confirmed
        case .endpointsDiscovered(let discovered):
            requests.answered(at: lastAt, byReading: true)
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
            requests.forgetTries()
            problem = nil
            wakeFromStall()
        case .externalContentOpened, .navigated, .termsOfServiceOpened: checkout?.notes += 1
        case .handedOver(let handed): apply(handed)
        case .handedBack(let handed): apply(handed)
        case .transactionRequested(let request):
            checkout?.transactions.append(OrderTransaction(request: request))
            problem = nil
            isStalled = false
            requests.forgetTries()
        case .transactionSettled(let settled): apply(settled)
        }
    }

    private mutating func apply(_ opened: CheckoutOpened) {
        guard !isOpen else { return }
        kind = .checkout(CheckoutState(opened))
        openedAt = lastAt
        orderURLs = opened.terms.urls
        // An order that doesn't exist can't be read.
        requests.relyOnWhatIsKnown()
    }

    private mutating func request(_ action: ActionID, as kind: ClientAction.Kind) {
        actions.append(ClientAction(id: action, kind: kind, requestedAt: lastAt))
    }

    private mutating func apply(_ fetched: OrderFetched) {
        guard var checkout else { return }
        requests.answered(at: lastAt, byReading: fetched.cause == .order)
        if fetched.cause == .order {
            checkout.looks += 1
            checkout.lastLookAt = lastAt
            checkout.news = nil
            checkout.readsOrders = true
            if isStalled, problem?.problem.rel == .order || outcome != nil {
                // What could not be read was read after all.
                isStalled = false
                if problem?.problem.kind == .requestFailed { problem = nil }
            }
            for index in checkout.transactions.indices {
                checkout.transactions[index].isOrderFresh = true
            }
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
        let isCurrent = checkout?.nativeSession == handed.session
        if isCurrent { checkout?.nativeSession = nil }
        checkout?.looks = 0
        guard let outcome = handed.outcome else {
            checkout?.isWanted = true
            return
        }
        checkout?.endedSessions.append(handed.session)
        noteNews(.session)
        switch outcome {
        case .completed: checkout?.left = .completed
        // Of a session that was left for the page before, only the order tells.
        case .canceled: if isCurrent { checkout?.left = .canceled }
        case .failed, .expired: break
        }
    }

    private mutating func apply(_ settled: TransactionSettled) {
        guard
            let index = checkout?.transactions.lastIndex(where: {
                $0.request.payeeReference == settled.payeeReference
            })
        else { return }
        checkout?.transactions[index].result = settled.result
        requests.forgetFailures()
        if settled.result != .accepted { requests.relyOnWhatIsKnown() }
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
    mutating func applyWishForPage(_ mode: MenuMode) {
        checkout?.isWanted = true
        if case .instrument(let name) = mode, checkout?.order?.instrument != name {
            checkout?.wantedInstrument = name
        }
        requests.forgetTries()
        checkout?.left = nil
        checkout?.nativeSession = nil
        problem = nil
        wakeFromStall()
    }

    /// The PSP called: whatever happened, the order tells.
    mutating func noteCallbackOfOrder() {
        checkout?.callbacks += 1
        checkout?.looks = 0
        noteNews(.callback)
    }

    /// Somebody wants to know how the order stands, also after the end.
    mutating func noteWishToRead() {
        guard checkout != nil else { return }
        noteNews(.callback)
    }

    /// There is something to learn: whoever did not let the order be read may do so now.
    mutating func noteNews(_ news: CheckoutState.News) {
        checkout?.news = news
        if checkout?.readsOrders == false, checkout?.opening.options.readsOrders == true {
            checkout?.readsOrders = nil
        }
        // After the end nobody begins anything: what the engine gave up on reading is read as if for the first time.
        guard outcome != nil else { return }
        isStalled = false
        requests.forgetReadFailures()
    }

    /// The payer left the PSP's page: the order tells what became of it.
    mutating func applyLeftPageOfOrder(_ closed: MenuClosed) {
        guard checkout?.page == closed.action else { return }
        checkout?.page = nil
        checkout?.left = closed.outcome
        checkout?.looks = 0
        checkout?.isClosingTried = false
        noteNews(.payer)
    }
}
