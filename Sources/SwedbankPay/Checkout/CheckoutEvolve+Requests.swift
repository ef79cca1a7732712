internal import Workflow

/// Requests for payment orders, and what became of them.
extension CheckoutState {
    /// A request that changes something is about to leave.
    mutating func fold(_ started: OperationStarted) {
        progress.requests.started(started, at: progress.lastAt, sequence: progress.sequence)
        if started.rel.isInstrumentChange {
            sentInstrument = wantedInstrument
        }
        if started.rel == .abortOrder || started.rel == .updateAbort,
            progress.abortRequestedBy == nil
        {
            isClosingTried = true
        }
    }

    /// What became of a request that changes something, for the order that it was about.
    mutating func fold(_ succeeded: OperationSucceeded) {
        _ = progress.succeeded(succeeded)
        // What the answer doesn't tell, the order does.
        if succeeded.content != .snapshot, !succeeded.rel.onlyReads, order?.id != nil {
            progress.requests.read(only: .emptyAnswer)
        }
        if let index = transactions.firstIndex(where: { $0.isUnderWay }),
            Rel.names(of: transactions[index].request.kind)
                .contains(succeeded.rel)
        {
            transactions[index].isTaken = true
            transactions[index].isOrderFresh = false
            progress.requests.read(only: .emptyAnswer)
        }
        if succeeded.rel == .paymentOrders || succeeded.rel == .consumers,
            succeeded.content != .snapshot
        {
            // Done, by its word, and of no use: nobody does that again and again.
            if succeeded.content == .empty { progress.requests.countUnusableAnswer() }
            lostCreation = succeeded.rel == .paymentOrders
        } else if succeeded.rel == .paymentOrders {
            lostCreation = false
        }
        if succeeded.rel.isInstrumentChange, succeeded.content != .snapshot {
            takeInstrument(nil)
            progress.withdrawOpenActions()
        }
    }

    /// The same for one that failed.
    mutating func fold(_ failed: OperationFailed) {
        _ = progress.failed(failed, isWanted: true)
        if failed.endsReading(of: self) {
            // Nobody lets the order be read: it is not asked for again.
            readsOrders = false
            news = nil
            progress.requests.giveUpReading()
        }
        guard !failed.rel.onlyReads else { return }
        if failed.rel == .paymentOrders {
            if failed.mayHaveTakenEffect {
                lostCreation = true
            } else if mayRenewReference(after: failed) {
                lostCreation = false
                renewals += 1
                progress.requests.forgetFailures()
            }
        }
        // An order that doesn't exist can't be read.
        if order?.id == nil {
            progress.requests.relyOnWhatIsKnown()
        }
        guard failed.retryAt == nil else { return }
        if failed.rel.isInstrumentChange, wantedInstrument == sentInstrument {
            wantedInstrument = nil
        }
        if failed.rel.isTransaction,
            let index = transactions.firstIndex(where: { $0.isUnderWay })
        {
            // Refused: a try before, whose answer was lost, may be why. The order tells.
            transactions[index].isOrderFresh = false
            transactions[index].isAnsweredNo = failed.status != nil
        } else if failed.status != nil, !failed.rel.givesUpOrder {
            // An order that can't be given up may be paid by now: it is read, and tells.
            progress.requests.relyOnWhatIsKnown()
        }
    }
}

extension CheckoutState {
    /// After a check-in that failed, asking again shows it again.
    mutating func askAgain() {
        if case .requested(let script, _) = checkIn { checkIn = .offered(script: script) }
    }

    /// The order is locked to another method: the page has to be shown anew.
    mutating func takeInstrument(_ answered: PaymentMethodName?) {
        let taken = answered ?? sentInstrument ?? order?.instrument
        order?.instrument = taken
        // Whatever came of it: what was asked for is answered, and only a newer wish is left.
        if wantedInstrument == sentInstrument { wantedInstrument = nil }
        sentInstrument = nil
        page = nil
    }
}

extension CheckoutState {
    /// Whether a refused creation, after one that may have taken effect, may only say that the reference was used.
    func mayRenewReference(after failed: OperationFailed) -> Bool {
        // Where creating moves money, "in use" says that the first one arrived: it is found, never done again.
        guard purpose.awaitsPayer, lostCreation, opening.payeeReference != nil,
            renewals < Self.renewalLimit,
            let status = failed.status
        else { return false }
        return (400...499).contains(status) && ![408, 425, 429].contains(status)
    }
}

extension OperationFailed {
    /// Whether the request may have done what it was to do.
    var mayHaveTakenEffect: Bool {
        guard let status else { return reach != .notSent }
        return status >= 500 || status == 408
    }
}

extension OrderTransaction {
    /// Whether it has not come to an end.
    var isUnderWay: Bool { result == nil }
}

extension Rel {
    /// Whether it gives up an order.
    var givesUpOrder: Bool { self == .abortOrder || self == .updateAbort }

    /// Whether it locks an order to another method.
    var isInstrumentChange: Bool {
        self == .setInstrument || self == .updateInstrument || self == .backendInstrument
    }
}
