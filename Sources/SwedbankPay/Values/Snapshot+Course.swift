internal import EventLog

/// What a snapshot shows of the course of a payment.
extension Snapshot {
    /// Where the PSP sends the payer to because the session is over; nil while it is not.
    var end: RedirectTarget? {
        for place in -1..<methods.count {
            let list = place < 0 ? operations : methods[place].operations
            for index in list.indices {
                if let end = list[index].end { return end }
            }
        }
        return nil
    }

    /// Whether it is about another session than the one that these were read of before: by the PSP's identifier, and by
    /// where the payer is sent when the payment is done.
    ///
    /// - Note: Source: payment order API, confirming an order: own references only.
    func isForeign(identity: Sealed?, urls known: OrderURLs) -> Bool {
        if let identity, let id = particulars.id, identity != id { return true }
        guard let complete = urls.complete, let expected = known.complete else { return false }
        return !complete.leadsToOrFrom(expected)
    }

    /// Whether an attempt with the method is under way at the PSP: something is to be done for it, or waited for.
    func showsRunningAttempt(with method: PaymentMethodName) -> Bool {
        !workingOperations(for: nil, where: \.belongsToRunningAttempt).isEmpty
            || methods.first { $0.name == method }?.showsRunningAttempt == true
    }

    /// Whether an attempt with another method is under way.
    func showsAttempt(besides method: PaymentMethodName) -> Bool {
        methods.contains { $0.name != method && $0.showsRunningAttempt }
    }

    /// Whether any attempt is under way at the PSP, whoever began it.
    ///
    /// A `get-payment` of the session alone shows nothing: sessions in which nothing was begun have it, too.
    var showsPaymentUnderWay: Bool {
        operations.contains(where: \.belongsToRunningAttempt)
            || methods.contains(where: \.showsRunningAttempt)
    }
}

extension OfferedMethod {
    /// Whether an attempt with it is under way.
    fileprivate var showsRunningAttempt: Bool {
        operations.contains { operation in
            operation.belongsToRunningAttempt || operation.rel == .getPayment
                || operation.rel == .failPaymentAttempt
        }
    }
}

extension Operation {
    /// Whether only a running attempt has it.
    fileprivate var belongsToRunningAttempt: Bool {
        switch rel {
        case .createAuthentication, .completeAuthentication, .attemptPayload: true
        default: rel.isKnown && !tasks.isEmpty
        }
    }

    /// The end of the session that it sends the payer to, if it does.
    fileprivate var end: RedirectTarget? {
        guard rel == .redirectPayer, target == .complete || target == .cancel else { return nil }
        return target
    }
}
