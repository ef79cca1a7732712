internal import EventLog

/// The course of a payment according to a snapshot.
extension Snapshot {
    /// The URL to which the PSP redirects the payer because the session has ended; `nil` while it
    /// has not.
    var end: RedirectTarget? {
        for place in -1..<methods.count {
            let list = place < 0 ? operations : methods[place].operations
            for index in list.indices {
                if let end = list[index].end { return end }
            }
        }
        return nil
    }

    /// How it shows that it concerns another session than the earlier views, judging by the PSP's
    /// identifier, the currency, and the address that the payer is sent to on completion; `nil`
    /// when nothing contradicts them.
    ///
    /// - Note: Source: payment order API, confirming an order: own references only.
    func contradiction(
        to identity: Sealed?,
        in currency: String?,
        urls known: OrderURLs
    ) -> Contradiction? {
        if let identity, let id = particulars.id, identity != id { return .payment }
        if let currency, let told = particulars.currency, currency != told { return .currency }
        guard let complete = urls.complete, let expected = known.complete else { return nil }
        return complete.leadsToOrFrom(expected) ? nil : .payment
    }

    /// Whether an attempt with the method is in progress at the PSP: something has to be done or
    /// waited for.
    func showsRunningAttempt(with method: PaymentMethodName) -> Bool {
        !workingOperations(for: nil, where: \.belongsToRunningAttempt).isEmpty
            || methods.first { $0.name == method }?.showsRunningAttempt == true
    }

    /// Whether an attempt with another method is in progress.
    func showsAttempt(besides method: PaymentMethodName) -> Bool {
        methods.indices.contains {
            methods[$0].name != method && methods[$0].showsRunningAttempt
        }
    }

    /// Whether any attempt is in progress at the PSP, whichever client started it.
    ///
    /// A `get-payment` of the session alone is not sufficient, because sessions without any attempt
    /// have it, too.
    var showsPaymentUnderWay: Bool {
        operations.containsAny { $0.belongsToRunningAttempt }
            || methods.indices.contains { methods[$0].showsRunningAttempt }
    }
}

extension OfferedMethod {
    /// Whether an attempt with it is in progress.
    fileprivate var showsRunningAttempt: Bool {
        operations.containsAny {
            $0.belongsToRunningAttempt || $0.rel == .getPayment || $0.rel == .failPaymentAttempt
        }
    }
}

extension [Operation] {
    /// Whether an operation meets a condition; asked by index, since an operation is large and its
    /// iteration would copy it.
    @inline(__always)
    fileprivate func containsAny(_ condition: (Operation) -> Bool) -> Bool {
        for index in indices where condition(self[index]) { return true }
        return false
    }
}

extension Operation {
    /// Whether only a running attempt has this operation.
    @inline(__always)
    fileprivate var belongsToRunningAttempt: Bool {
        switch rel {
        case .createAuthentication, .completeAuthentication, .attemptPayload: true
        default: rel.isKnown && !tasks.isEmpty
        }
    }

    /// The end of the session that it redirects the payer to, if any.
    @inline(__always)
    fileprivate var end: RedirectTarget? {
        guard rel == .redirectPayer, target == .complete || target == .cancel else { return nil }
        return target
    }
}
