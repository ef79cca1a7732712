/// What comes next in a checkout: the first rule that fits.
///
/// - Note: Source: merchant backend API; payment order API, confirming an order.
extension SessionDecider {
    func step(in state: SessionState, _ checkout: CheckoutState) -> Step {
        guard state.running == nil, !state.isStalled, state.sequence < limits.events else {
            return .rest
        }
        guard state.outcome == nil else {
            return confirmationStep(in: state, checkout)
                ?? transactionStep(in: state, checkout) ?? .rest
        }
        return abandonStep(in: state, checkout)
            ?? discoveryStep(in: state, checkout)
            ?? checkInStep(in: state, checkout)
            ?? creationStep(in: state, checkout)
            ?? statusStep(in: state, checkout)
            ?? orderReadingStep(in: state, checkout)
            ?? resultStep(in: state, checkout)
            ?? giveUpStep(in: state, checkout)
            ?? instrumentStep(in: state, checkout)
            ?? transactionStep(in: state, checkout)
            ?? pageOfOrderStep(in: state, checkout)
            ?? backstopStep(in: state, checkout)
            ?? .rest
    }

    /// Who gives up before there is an order has given up nothing at the PSP.
    private func abandonStep(in state: SessionState, _ checkout: CheckoutState) -> Step? {
        guard state.abortRequestedBy != nil, checkout.order == nil else { return nil }
        return .record([.canceled(Canceled(by: .client))])
    }

    private func discoveryStep(in state: SessionState, _ checkout: CheckoutState) -> Step? {
        guard checkout.opening.gateway == .merchantBackend, checkout.endpoints == nil else {
            return nil
        }
        return read(.root, at: checkout.opening.root, .none, in: state)
    }

    /// The payer is identified before the order is created, since the order names them.
    private func checkInStep(in state: SessionState, _ checkout: CheckoutState) -> Step? {
        guard checkout.order == nil, let consumer = checkout.opening.consumer else { return nil }
        switch checkout.checkIn {
        case .unwanted, .done: return nil
        case .wanted:
            let address: Sealed
            switch checkout.opening.gateway {
            case .psp: address = checkout.opening.root
            case .merchantBackend:
                guard let consumers = checkout.endpoints?.consumers else {
                    return missing("consumers", in: state)
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
                in: state
            )
        case .offered(let script):
            return .record([
                .checkout(
                    .checkInRequested(CheckInRequested(action: state.nextAction, script: script))
                )
            ])
        case .requested: return .rest
        }
    }

    private func creationStep(in state: SessionState, _ checkout: CheckoutState) -> Step? {
        guard checkout.order == nil else { return nil }
        let address = checkout.endpoints?.orders ?? checkout.opening.root
        var submission = OrderSubmission(
            document: checkout.opening.document,
            payeeReference: checkout.payeeReference
        )
        if case .done(let reference) = checkout.checkIn {
            submission.consumerProfileRef = reference
        }
        return send(.paymentOrders, "POST", to: address, .order(submission), in: state)
    }

    /// What the order itself says goes before everything that is planned.
    private func statusStep(in state: SessionState, _ checkout: CheckoutState) -> Step? {
        switch checkout.order?.status {
        case .paid?: return .record(paid(checkout))
        case .reversed?: return .record([.completed(Completed(evidence: .orderStatus))])
        case .aborted?, .cancelled?:
            let party: Canceled.Party = state.abortRequestedBy == nil ? .psp : .client
            return .record([.canceled(Canceled(by: party))])
        case .failed?: return .record([.failed(Failed(reason: .orderFailed))])
        case .initialized?, nil: return nil
        default: return nil
        }
    }

    /// Paid as ordered is confirmed; paid otherwise is told to people.
    private func paid(_ checkout: CheckoutState) -> [SessionEvent] {
        let completed = SessionEvent.completed(Completed(evidence: .orderStatus))
        return [completed] + confirmation(of: checkout)
    }

    private func confirmation(of checkout: CheckoutState) -> [SessionEvent] {
        guard let order = checkout.order else { return [] }
        guard checkout.isPaidAsOrdered else {
            guard !checkout.isMismatchTold else { return [] }
            return [.problem(.orderMismatch)]
        }
        return [
            .checkout(
                .orderConfirmed(
                    OrderConfirmed(
                        order: order.id ?? "",
                        number: order.paid?.number ?? order.number,
                        instrument: order.paid?.instrument ?? order.instrument,
                        currency: order.currency,
                        amount: order.paid?.amount ?? order.amount,
                        transactionType: order.paid?.transactionType
                    )
                )
            )
        ]
    }

    /// After the end: an order that was complete by the client's account is confirmed as soon as it can be read.
    private func confirmationStep(in state: SessionState, _ checkout: CheckoutState) -> Step? {
        if state.outcome == .completed, state.confirmation == nil, checkout.order?.status == .paid,
            !checkout.isMismatchTold
        {
            return .record(confirmation(of: checkout))
        }
        guard checkout.news != nil, checkout.canBeRead else { return nil }
        return readOrder(in: state, checkout, notBefore: nil, isPoll: false)
    }

    /// The order is read when somebody says that there is news, and after every request whose outcome is unknown.
    private func orderReadingStep(in state: SessionState, _ checkout: CheckoutState) -> Step? {
        guard checkout.canBeRead, checkout.news != nil || state.reading.need != nil else {
            return nil
        }
        var earliest = state.reading.notBefore
        if state.reading.need == .refetched, let last = state.reading.lastAnswerAt {
            earliest = max(earliest ?? last, last + limits.pollInterval)
        }
        return readOrder(in: state, checkout, notBefore: earliest, isPoll: false)
    }

    /// The payer left the page: what the order says of it.
    private func resultStep(in state: SessionState, _ checkout: CheckoutState) -> Step? {
        guard let left = checkout.left else { return nil }
        switch left {
        case .canceled: return .record([.canceled(Canceled(by: .payer))])
        case .failed: return .record([.failed(Failed(reason: .pageFailed))])
        case .completed:
            guard checkout.canBeRead else {
                return .record([.completed(Completed(evidence: .completeURLReached))])
            }
            guard checkout.looks <= limits.confirmationPauses.count else {
                return .record([.problem(.notConfirmed)])
            }
            let pause = limits.confirmationPauses[max(checkout.looks, 1) - 1]
            let last = state.reading.lastAnswerAt ?? state.lastAt
            return readOrder(in: state, checkout, notBefore: last + pause, isPoll: false)
        }
    }

    private func giveUpStep(in state: SessionState, _ checkout: CheckoutState) -> Step? {
        guard state.abortRequestedBy != nil, let order = checkout.order else { return nil }
        guard let operation = order.operation([.abortOrder, .updateAbort]),
            let href = operation.href
        else {
            // The operations of an order that was read since are all there is.
            guard checkout.canBeRead, checkout.looks == 0 else {
                return .record([
                    .problem(.abortNotAllowed(title: "The order can't be given up now"))
                ])
            }
            return readOrder(in: state, checkout, notBefore: nil, isPoll: false)
        }
        return send(
            operation.rel,
            operation.method ?? "PATCH",
            to: href,
            .abortReason(Self.abortReason),
            in: state
        )
    }

    /// Why an order is given up, in the PSP's word.
    ///
    /// - Note: Source: merchant backend API, instrument change and abort.
    static let abortReason = "CancelledByConsumer"

    private func instrumentStep(in state: SessionState, _ checkout: CheckoutState) -> Step? {
        guard let wanted = checkout.wantedInstrument, let order = checkout.order else { return nil }
        let names: [Rel] = [.setInstrument, .updateInstrument, .backendInstrument]
        guard let operation = order.operation(names), let href = operation.href else {
            return .record([
                .problem(methodNotAvailable("The order offers no change of its method"))
            ])
        }
        return send(
            operation.rel,
            operation.method ?? "PATCH",
            to: href,
            .instrument(wanted),
            in: state
        )
    }

    /// The client is asked to show the page, anew after each change of the order's method.
    private func pageOfOrderStep(in state: SessionState, _ checkout: CheckoutState) -> Step? {
        guard checkout.isWanted, checkout.nativeSession == nil, checkout.page == nil,
            checkout.left == nil
        else { return nil }
        guard let script = checkout.order?.page?.href else {
            let rel: Rel =
                checkout.opening.generation == .v3 ? .viewCheckout : .viewPaymentOrder
            return missing(rel.rawValue, in: state)
        }
        guard state.actions.count < limits.actions else {
            return .record([.problem(inconsistency("The session has too many actions"))])
        }
        let mode: MenuMode =
            checkout.isInstrumentMode
            ? checkout.order?.instrument.map { .instrument($0) } ?? .menu : .menu
        return .record([
            .menuRequested(
                MenuRequested(action: state.nextAction, mode: mode, script: script)
            )
        ])
    }

    /// A payment that nobody tells of, neither payer nor PSP, is found by looking, late and seldom.
    ///
    /// - Note: Source: server callbacks, handling rules: poll when no callback came in half as long again as they are
    ///   repeated.
    private func backstopStep(in state: SessionState, _ checkout: CheckoutState) -> Step? {
        guard checkout.canBeRead, checkout.isWanted, checkout.page != nil else { return nil }
        let last = max(state.reading.lastAnswerAt ?? state.lastAt, state.lastAt)
        return readOrder(in: state, checkout, notBefore: last + limits.orderBackstop, isPoll: true)
    }
}

extension CheckoutState {
    /// The merchant's reference of the order; another one after a try that may have used it.
    fileprivate var payeeReference: String? {
        guard let reference = opening.payeeReference else { return nil }
        return renewals == 0 ? reference : "\(reference)R\(renewals)"
    }

    /// Whether what was paid is what was ordered.
    fileprivate var isPaidAsOrdered: Bool {
        guard let order else { return false }
        let terms = opening.terms
        if let wanted = terms.currency, let currency = order.currency, wanted != currency {
            return false
        }
        guard terms.purpose == "Purchase", let wanted = terms.amount else { return true }
        return [order.amount, order.paid?.amount].allSatisfy { $0 == nil || $0 == wanted }
    }
}

extension Problem {
    /// The order was paid otherwise than it was ordered.
    fileprivate static let orderMismatch = Problem(
        origin: .engine,
        kind: .orderMismatch,
        title: .plain("The order is paid with another amount or currency than ordered"),
        detail: .plain("Compare the payment order with the order that was sent."),
        isRetryable: false,
        actor: .merchant,
        rel: .order
    )

    /// The payer finished, and the order does not say that it is paid.
    fileprivate static let notConfirmed = Problem(
        origin: .engine,
        kind: .notConfirmed,
        title: .plain("The payer finished, but the payment order is not paid"),
        detail: .plain("Nothing is to be delivered before the order says that it is paid."),
        isRetryable: true,
        actor: .psp,
        rel: .order
    )
}
