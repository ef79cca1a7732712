internal import Workflow

/// Requests for payment orders, and what became of them.
extension SessionState {
    /// A request that changes something is about to leave.
    mutating func noteForOrder(_ started: OperationStarted) {
        guard checkout != nil else { return }
        if started.rel.isInstrumentChange {
            let wanted = checkout?.wantedInstrument
            checkout?.sentInstrument = wanted
        }
        if started.rel == .abortOrder || started.rel == .updateAbort, abortRequestedBy == nil {
            checkout?.isClosingTried = true
        }
    }

    /// What became of a request that changes something, for the order that it was about.
    mutating func noteForOrder(_ succeeded: OperationSucceeded) {
        guard checkout != nil else { return }
        // What the answer doesn't tell, the order does.
        if succeeded.content != .snapshot, !succeeded.rel.onlyReads, checkout?.order?.id != nil {
            requests.read(only: .emptyAnswer)
        }
        if let index = checkout?.transactions.firstIndex(where: { $0.isUnderWay }),
            Rel.names(of: checkout?.transactions[index].request.kind ?? .capture)
                .contains(succeeded.rel)
        {
            checkout?.transactions[index].isTaken = true
            checkout?.transactions[index].isOrderFresh = false
            requests.read(only: .emptyAnswer)
        }
        if succeeded.rel == .paymentOrders || succeeded.rel == .consumers,
            succeeded.content != .snapshot
        {
            // Done, by its word, and of no use: nobody does that again and again.
            if succeeded.content == .empty { requests.countUnusableAnswer() }
            checkout?.lostCreation = succeeded.rel == .paymentOrders
        } else if succeeded.rel == .paymentOrders {
            checkout?.lostCreation = false
        }
        if succeeded.rel.isInstrumentChange, succeeded.content != .snapshot {
            checkout?.takeInstrument(nil)
            withdrawOpenActions()
        }
    }

    /// The same for one that failed.
    mutating func noteForOrder(_ failed: OperationFailed) {
        guard let known = checkout else { return }
        if failed.endsReading(of: known) {
            // Nobody lets the order be read: it is not asked for again.
            checkout?.readsOrders = false
            checkout?.news = nil
            requests.giveUpReading()
        }
        guard !failed.rel.onlyReads else { return }
        if failed.rel == .paymentOrders {
            if failed.mayHaveTakenEffect {
                checkout?.lostCreation = true
            } else if checkout?.mayRenewReference(after: failed) == true {
                checkout?.lostCreation = false
                checkout?.renewals += 1
                requests.forgetFailures()
            }
        }
        // An order that doesn't exist can't be read.
        if checkout?.order?.id == nil {
            requests.relyOnWhatIsKnown()
        }
        guard failed.retryAt == nil else { return }
        if failed.rel.isInstrumentChange, checkout?.wantedInstrument == checkout?.sentInstrument {
            checkout?.wantedInstrument = nil
        }
        if failed.rel.isTransaction,
            let index = checkout?.transactions.firstIndex(where: { $0.isUnderWay })
        {
            // Refused: a try before, whose answer was lost, may be why. The order tells.
            checkout?.transactions[index].isOrderFresh = false
            checkout?.transactions[index].isAnsweredNo = failed.status != nil
        } else if failed.status != nil, !failed.rel.givesUpOrder {
            // An order that can't be given up may be paid by now: it is read, and tells.
            requests.relyOnWhatIsKnown()
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
