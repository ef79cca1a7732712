internal import EventLog
internal import Workflow

/// The next step in a checkout: the first rule that applies.
///
/// - Note: Source: merchant backend API; payment order API, confirming an order.
extension CheckoutRules {
    func next(in checkout: CheckoutState) -> Step {
        guard checkout.running == nil, checkout.sequence < limits.events else { return .rest }
        guard !checkout.isStalled else { return stalledStep(in: checkout) }
        guard checkout.outcome == nil else {
            return confirmationStep(in: checkout)
                ?? transactionStep(in: checkout) ?? .rest
        }
        return abandonStep(in: checkout)
            ?? discoveryStep(in: checkout)
            ?? checkInStep(in: checkout)
            ?? creationStep(in: checkout)
            ?? statusStep(in: checkout)
            ?? orderReadingStep(in: checkout)
            ?? giveUpStep(in: checkout)
            ?? chargeStep(in: checkout)
            ?? resultStep(in: checkout)
            ?? instrumentStep(in: checkout)
            ?? transactionStep(in: checkout)
            ?? pageOfOrderStep(in: checkout)
            ?? backstopStep(in: checkout)
            ?? .rest
    }

    /// After the engine gave up, reads late and infrequently while money is under way or unknown,
    /// and once before the end.
    private func stalledStep(in checkout: CheckoutState) -> Step {
        guard checkout.canBeRead else { return .rest }
        let isClosing = checkout.outcome == nil && checkout.requests.need == .asked(.closing)
        let isOfReading = checkout.outcome == nil && checkout.problem?.problem.isOfReading == true
        guard
            isClosing || checkout.money.standing == .unknown
                || isOfReading && checkout.money.standing == .underWay
        else { return .rest }
        var late = checkout.lastAt + limits.orderBackstop
        if isOfReading, checkout.requests.unusableResponses == 0 {
            let soon = checkout.requests.afterLastResponse(limits.pollInterval, at: checkout.lastAt)
            late = lateReading(of: checkout, or: soon) ?? late
        }
        return readOrder(
            in: checkout,
            notBefore: isClosing ? checkout.requests.readFailures?.last.retryAt : late,
            isPoll: !isClosing,
            isLate: !isClosing
        )
    }

    /// A charge by token has no payer to finish it: when its response did not contain the result,
    /// the order is read.
    private func chargeStep(in checkout: CheckoutState) -> Step? {
        guard checkout.chargesAtCreation, checkout.order?.status != .paid else { return nil }
        let last = checkout.lastReadAt ?? checkout.lastAt
        guard checkout.canBeRead, checkout.reads < limits.confirmationPauses.count else {
            guard checkout.problem?.problem.kind == .notConfirmed else {
                return .record([.problem(.chargeNotConfirmed)])
            }
            guard checkout.canBeRead else { return .rest }
            let late = last + limits.orderBackstop
            return readOrder(in: checkout, notBefore: late, isPoll: true)
        }
        let pause = limits.confirmationPauses[checkout.reads]
        return readOrder(in: checkout, notBefore: last + pause, isPoll: false)
    }

    /// Giving up before there is an order requires no abort at the PSP; a charge that may have been
    /// made cannot be given up.
    private func abandonStep(in checkout: CheckoutState) -> Step? {
        guard checkout.abortRequestedBy != nil, checkout.order == nil else { return nil }
        guard !checkout.chargesAtCreation || !checkout.creation.isUncertain else {
            return .record([.problem(.abortNotAllowed(.abortOrder, .mayBeCharged))])
        }
        return .record([.canceled(Canceled(by: .client))])
    }

    private func discoveryStep(in checkout: CheckoutState) -> Step? {
        guard checkout.opening.gateway == .merchantBackend, checkout.endpoints == nil else {
            return nil
        }
        return retriedReading(.root, from: nil, in: checkout) { time in
            .request(
                reading(
                    .root,
                    at: checkout.opening.root,
                    in: checkout,
                    notBefore: time,
                    isPoll: false
                )
            )
        }
    }

    /// The payer is identified before the order is created, because the order refers to the payer.
    private func checkInStep(in checkout: CheckoutState) -> Step? {
        guard checkout.order == nil, let consumer = checkout.opening.consumer else { return nil }
        switch checkout.checkIn {
        case .unwanted, .done: return nil
        case .wanted:
            let address: Sealed
            switch checkout.opening.gateway {
            case .psp, .custom: address = checkout.opening.root
            case .merchantBackend:
                guard let consumers = checkout.endpoints?.consumers else {
                    return missing("consumers", in: checkout)
                }
                address = consumers
            }
            return send(
                .consumers,
                "POST",
                to: address,
                .consumer(
                    language: consumer.language,
                    shippingCountries: consumer.shippingCountries
                ),
                in: checkout
            )
        case .offered(let script):
            return .record([
                .checkout(
                    .checkInRequested(CheckInRequested(action: checkout.nextAction, script: script))
                )
            ])
        case .requested: return .rest
        }
    }

    private func creationStep(in checkout: CheckoutState) -> Step? {
        guard checkout.order == nil else { return nil }
        let address = checkout.endpoints?.orders ?? checkout.opening.root
        var submission = OrderSubmission(
            document: checkout.opening.document,
            payeeReference: checkout.payeeReference
        )
        if case .done(let reference) = checkout.checkIn {
            submission.consumerProfileRef = reference
        }
        return send(.paymentOrders, "POST", to: address, .order(submission), in: checkout)
    }

    /// Reads the order when a change is reported, and after every request whose outcome is unknown.
    private func orderReadingStep(in checkout: CheckoutState) -> Step? {
        guard checkout.canBeRead, checkout.readReason != nil || checkout.requests.need != nil else {
            return nil
        }
        var earliest = checkout.requests.need?.earliestRead
        if checkout.requests.need == .asked(.refetched) || checkout.readReason == .callback,
            let last = checkout.lastReadAt
        {
            // This is only a hint that something may have changed.
            earliest = max(earliest ?? last, last + limits.pollInterval)
        }
        return readOrder(in: checkout, notBefore: earliest, isPoll: false)
    }

    private func instrumentStep(in checkout: CheckoutState) -> Step? {
        guard let wanted = checkout.wantedInstrument, let order = checkout.order else { return nil }
        let names: [Rel] = [.setInstrument, .updateInstrument, .backendInstrument]
        guard let operation = order.operation(names), let href = operation.href else {
            return .record([
                .problem(methodNotAvailable(.fixedMethod))
            ])
        }
        return send(
            operation.rel,
            operation.method ?? "PATCH",
            to: href,
            .instrument(wanted),
            in: checkout
        )
    }

    /// Requests that the client show the page, again after each change of the order's method.
    private func pageOfOrderStep(in checkout: CheckoutState) -> Step? {
        guard checkout.isWanted, checkout.course == .waiting else { return nil }
        guard let script = checkout.order?.page?.href else {
            let rel: Rel =
                checkout.opening.generation == .v3 ? .viewCheckout : .viewPaymentOrder
            return missing(rel.rawValue, in: checkout)
        }
        guard checkout.actions.count < limits.actions else {
            return .record([.problem(inconsistency(.tooManyActions))])
        }
        let mode: MenuMode =
            checkout.isInstrumentMode
            ? checkout.order?.instrument.map { .instrument($0) } ?? .menu : .menu
        return .record([
            .menuRequested(
                MenuRequested(action: checkout.nextAction, mode: mode, script: script)
            )
        ])
    }

    /// Polls late and infrequently for a payment that neither the payer nor the PSP reports, as
    /// long as somebody may pay, or may have paid.
    ///
    /// - Note: Source: server callbacks, handling rules: poll when no callback arrived within one
    ///   and a half times the period for which they are repeated.
    private func backstopStep(in checkout: CheckoutState) -> Step? {
        guard checkout.canBeRead,
            checkout.page != nil || checkout.nativeSession != nil
                || checkout.money.standing == .unknown
        else { return nil }
        let last = max(checkout.requests.lastResponseAt ?? checkout.lastAt, checkout.lastAt)
        return readOrder(in: checkout, notBefore: last + limits.orderBackstop, isPoll: true)
    }
}

extension CheckoutState {
    /// How a response shows that it concerns another order, judging by its identifier and number,
    /// the merchant's references, the currency, or the address that the payer is sent to on
    /// completion; `nil` when nothing contradicts what is known.
    ///
    /// - Note: Source: payment order API, confirming an order: own references only.
    func contradiction(in response: OrderSnapshot) -> Contradiction? {
        func differ<Value: Equatable>(_ known: Value?, _ told: Value?) -> Bool {
            guard let known, let told else { return false }
            return known != told
        }
        if differ(order?.id, response.id) || differ(order?.number, response.number) {
            return .payment
        }
        if differ(opening.terms.currency ?? order?.currency, response.currency) {
            return .currency
        }
        // A merchant backend may assign references of its own.
        if opening.gateway == .psp,
            differ(payeeReference, response.paid?.payeeReference)
                || differ(opening.terms.orderReference, response.paid?.orderReference)
        {
            return .payment
        }
        guard let complete = response.urls.complete, let expected = opening.terms.urls.complete
        else { return nil }
        return complete.leadsToOrFrom(expected) ? nil : .payment
    }

    /// The merchant's reference of the order; a different one after a try that may have used it.
    fileprivate var payeeReference: String? {
        opening.payeeReference.map { creation.reference(for: $0) }
    }
}
