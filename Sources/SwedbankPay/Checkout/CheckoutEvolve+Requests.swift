internal import Workflow

/// Requests for payment orders and their results.
extension CheckoutState {
    /// Folds the start of a request that changes something.
    mutating func fold(_ started: OperationStarted) {
        progress.requests.started(started, at: progress.lastAt, sequence: progress.sequence)
        if started.rel.isInstrumentChange { known.change.start() }
        if let index = transactions.firstIndex(where: { $0.isUnderWay }),
            Rel.names(of: transactions[index].request.kind).contains(started.rel)
        {
            let kind = transactions[index].request.kind
            transactions[index].failuresBefore = order?.failures(of: kind) ?? 0
        }
        if started.rel == .abortOrder || started.rel == .updateAbort,
            progress.abortRequestedBy == nil
        {
            isClosingTried = true
        }
    }

    /// Folds the success of a request that changes something into the order that it concerns.
    mutating func fold(_ succeeded: OperationSucceeded) {
        if progress.succeeded(succeeded), succeeded.rel.givesUpOrder {
            if case .undecodable = succeeded.content {} else { isAbortAccepted = true }
        }
        // Everything that the response does not contain is read from the order.
        if succeeded.content != .snapshot, !succeeded.rel.onlyReads, order?.id != nil {
            progress.requests.read(only: .emptyResponse)
        }
        if let index = transactions.firstIndex(where: { $0.isUnderWay }),
            Rel.names(of: transactions[index].request.kind)
                .contains(succeeded.rel)
        {
            transactions[index].fold(response: .accepted)
            progress.requests.read(only: .emptyResponse)
        }
        if succeeded.rel == .paymentOrders || succeeded.rel == .consumers,
            succeeded.content != .snapshot
        {
            // The PSP reports success without usable content, so the request must not be repeated
            // again and again.
            if succeeded.content == .empty { progress.requests.countUnusableResponse() }
            creation.isUncertain = succeeded.rel == .paymentOrders
        } else if succeeded.rel == .paymentOrders {
            creation.isUncertain = false
        }
        if succeeded.rel.isInstrumentChange, succeeded.content != .snapshot {
            recordInstrument(nil)
            progress.withdrawOpenActions()
        }
    }

    /// Folds the failure of a request.
    mutating func fold(_ failed: OperationFailed) {
        _ = progress.failed(failed, isWanted: true)
        if failed.endsReading(of: self) {
            // Reading the order is not permitted, so it is not requested again.
            readsOrders = false
            readReason = nil
            progress.requests.giveUpReading()
        }
        guard !failed.rel.onlyReads else { return }
        if failed.rel == .paymentOrders {
            if failed.mayHaveTakenEffect {
                creation.isUncertain = true
            } else if mayRenewReference(after: failed) {
                creation.renew()
                progress.requests.forgetFailures()
            }
        }
        // An order that does not exist can't be read.
        if order?.id == nil {
            progress.requests.clearNeed()
        }
        if failed.rel.isInstrumentChange {
            known.change.finish(isRepeated: failed.retryAt != nil)
        }
        guard failed.retryAt == nil else { return }
        if failed.rel.isTransaction,
            let index = transactions.firstIndex(where: { $0.isUnderWay })
        {
            // An earlier try whose response was lost may be the reason for the refusal; reading the
            // order shows it.
            transactions[index].fold(response: failed.status.map { .refused(status: $0) })
        } else if failed.status != nil, !failed.rel.givesUpOrder {
            // An order that can't be aborted may already be paid; reading it shows that.
            progress.requests.clearNeed()
        }
    }
}

extension CheckoutState {
    /// Makes a failed check-in available again, so that a retry shows it again.
    mutating func askAgain() {
        if case .requested(let script, _) = checkIn { checkIn = .offered(script: script) }
    }

    /// Folds a change of the order's locked method, after which the page has to be shown again.
    mutating func recordInstrument(_ stated: PaymentMethodName?) {
        known.lock(to: stated)
        if page != nil { course = .waiting }
    }
}

extension CheckoutState {
    /// Whether a refused creation, after one that may have taken effect, may only mean that the
    /// reference was used.
    func mayRenewReference(after failed: OperationFailed) -> Bool {
        // Where creating an order moves money, "in use" means that the first request arrived: the
        // order is found, never created again.
        guard purpose.awaitsPayer, creation.isRenewable, opening.payeeReference != nil,
            let status = failed.status
        else { return false }
        return (400...499).contains(status) && ![408, 425, 429].contains(status)
    }
}

extension OperationFailed {
    /// Whether the request may have taken effect.
    var mayHaveTakenEffect: Bool {
        guard let status else { return reach != .notSent }
        return status >= 500 || status == 408
    }
}

extension Rel {
    /// Whether it aborts an order.
    var givesUpOrder: Bool { self == .abortOrder || self == .updateAbort }

    /// Whether it locks an order to another method.
    var isInstrumentChange: Bool {
        self == .setInstrument || self == .updateInstrument || self == .backendInstrument
    }
}
