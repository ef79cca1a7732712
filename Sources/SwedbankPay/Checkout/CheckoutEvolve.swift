internal import Workflow

/// The folds that only checkouts have.
extension CheckoutState {
    mutating func fold(_ event: CheckoutEvent) {
        switch event {
        case .checkoutOpened, .orderConfirmed: break
        case .endpointsDiscovered(let discovered):
            progress.requests.responded(at: progress.lastAt, byReading: true)
            endpoints = discovered.endpoints
        case .checkInOffered(let offered):
            checkIn = .offered(script: offered.script)
            // An earlier response to the check-in, without content, says nothing about the order.
            progress.requests.forgetReadFailures()
        case .checkInRequested(let requested):
            progress.request(requested.action, as: .checkIn(script: requested.script))
            checkIn = .requested(script: requested.script, requested.action)
        case .checkInShown(let shown): progress.show(shown.action)
        case .payerCheckedIn(let checkedIn):
            respond(
                checkedIn.action,
                .checkedIn(consumerProfileRef: checkedIn.consumerProfileRef)
            )
            checkIn = .done(consumerProfileRef: checkedIn.consumerProfileRef)
        case .checkInClosed(let response):
            self.respond(response.action, .canceled)
            checkIn = .unwanted
        case .checkInFailed(let failure):
            respond(failure.action, .failed(error: failure.error))
        case .orderFetched(let fetched): apply(fetched)
        case .instrumentChosen(let chosen):
            known.change.choose(chosen.instrument)
            progress.requests.forgetTries()
            progress.problem = nil
            progress.wakeFromStall()
        case .externalContentOpened, .navigated, .termsOfServiceOpened: notes += 1
        case .handedOver(let handed): apply(handed)
        case .handedBack(let handed): apply(handed)
        case .transactionRequested(let request):
            transactions.append(OrderTransaction(request: request, at: progress.lastAt))
            progress.problem = nil
            progress.isStalled = false
            progress.requests.forgetTries()
        case .transactionSettled(let settled): apply(settled)
        }
    }

    private mutating func apply(_ fetched: OrderFetched) {
        progress.requests.responded(at: progress.lastAt, byReading: fetched.cause == .order)
        if fetched.cause == .order {
            readReason = nil
            readsOrders = true
            if progress.isStalled,
                progress.problem?.problem.rel == .order || progress.outcome != nil
            {
                // A read that had failed has now succeeded.
                progress.isStalled = false
                if progress.problem?.problem.kind == .requestFailed { progress.problem = nil }
            }
            for index in transactions.indices {
                transactions[index].foldOrderRead()
            }
        }
        let readAt = fetched.cause == .order ? progress.lastAt : nil
        let before = order
        known.record(fetched.order, digest: fetched.digest, readAt: readAt)
        for index in transactions.indices {
            let kind = transactions[index].request.kind
            if order?.isReopened(for: kind, since: before) == true {
                transactions[index].foldChange()
            }
        }
        if let newest = fetched.order {
            progress.orderURLs = newest.urls.completed(by: progress.orderURLs)
        }
        guard fetched.cause.isInstrumentChange else { return }
        recordInstrument(newest?.instrument)
        progress.withdrawOpenActions()
    }

    private mutating func apply(_ settled: TransactionSettled) {
        guard
            let index = transactions.lastIndex(where: {
                $0.request.payeeReference == settled.payeeReference
            })
        else { return }
        transactions[index].fold(result: settled.result)
        progress.requests.forgetFailures()
        if settled.result != .accepted { progress.requests.clearNeed() }
    }

    /// Folds a request that the client show the PSP's page of the order.
    mutating func fold(_ requested: MenuRequested) {
        progress.withdrawOpenActions()
        progress.request(
            requested.action,
            as: .showMenu(script: requested.script, mode: requested.mode)
        )
        progress.problem = nil
        course = .onPage(requested.action)
        known.restartReads()
        isWanted = true
    }

    /// Folds the payer's choice of the PSP's page, for the first time or again.
    mutating func fold(_ chosen: MenuChosen) {
        isWanted = true
        if case .instrument(let name) = chosen.mode, order?.instrument != name {
            known.change.choose(name)
        }
        progress.requests.forgetTries()
        if page == nil { course = .waiting }
        progress.problem = nil
        progress.wakeFromStall()
    }

    /// Folds a callback of the PSP; reading the order shows what happened.
    mutating func foldCallback() {
        if progress.outcome == nil {
            progress.wakeFromStall()
            progress.readAgain(.returned)
        }
        callbacks += 1
        known.restartReads()
        recordReason(.callback)
    }

    /// Folds a request to read the order, also after the end.
    mutating func fold(_ asked: RefetchRequested) {
        if progress.refetch(asked) { recordReason(.callback) }
    }

    mutating func foldRetry() {
        progress.retry()
        askAgain()
        recordReason(.callback)
    }

    mutating func fold(_ abort: AbortRequested) {
        progress.requestAbort(abort)
        known.restartReads()
    }

    mutating func foldFork() {
        // In a session that is not a copy this has no effect.
        progress.isForked = opening.metadata[OperatorActed.forkOrigin] != nil
    }

    /// Folds that an operator found the order that was lost; reading it shows what became of it.
    mutating func foldAdoption(of order: String) {
        known.adopt(order)
        progress.wakeFromStall()
        progress.problem = nil
        recordReason(.callback)
    }

    mutating func fold(_ problem: Problem) {
        switch problem.kind {
        case .requestFailed, .inconsistency: progress.stall()
        case .orderMismatch: isMismatchTold = true
        case .paymentWithdrawn: progress.book.isWithdrawalTold = true
        case .abortNotAllowed: progress.abort = nil
        // The order remains as it is, and so does the page that shows it.
        case .methodNotAvailable: known.change = .none
        case .menuFailed, .walletFailed: progress.withdrawOpenActions()
        case .endReached, .threeDSLoadFailed, .challengeClosed, .configurationFailed,
            .appLaunchFailed, .checkInFailed, .notConfirmed, .deadlineExceeded, nil:
            break
        }
    }

    mutating func end(_ ending: Ending) {
        if progress.end(ending), nativeSession != nil { course = .waiting }
    }

    /// Records a reason to read the order; reading that was refused earlier may be permitted now.
    mutating func recordReason(_ readReason: ReadReason) {
        self.readReason = readReason
        if readsOrders == false, opening.options.readsOrders {
            readsOrders = nil
        }
        // After the end no command restarts reading, so a read that the engine gave up starts again
        // as if for the first time.
        guard progress.outcome != nil else { return }
        progress.isStalled = false
        progress.requests.forgetReadFailures()
    }

    /// Folds the payer leaving the PSP's page; reading the order shows what became of it.
    mutating func fold(_ closed: MenuClosed) {
        respond(closed.action, closed.response)
        progress.requests.restartPolling(at: progress.lastAt)
        progress.readAgain(.returned)
        if page == closed.action {
            course = .left(closed.outcome)
            isClosingTried = false
        } else if left != .completed {
            return
        }
        // After a native session has reported the payment, leaving the page changes nothing, but
        // the payer may have paid there.
        known.restartReads()
        recordReason(.payer)
    }
}
