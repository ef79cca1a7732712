internal import EventLog
internal import Workflow

/// How a checkout ends: what the order says, what the payer did, what was asked for.
///
/// - Note: Source: payment order API, status model, confirming an order.
extension CheckoutRules {
    /// What the order itself says goes before everything that is planned.
    func statusStep(in checkout: CheckoutState) -> Step? {
        switch checkout.order?.status {
        case .paid?: return .record(paid(checkout))
        case .reversed?: return .record([.completed(Completed(evidence: .orderStatus))])
        case .aborted?, .cancelled?:
            let party: Canceled.Party =
                checkout.abortRequestedBy != nil ? .client : checkout.isClosingTried ? .payer : .psp
            return .record([.canceled(Canceled(by: party))])
        case .failed?:
            return failureStep(in: checkout)
                ?? .record([.failed(Failed(reason: .orderFailed))])
        case .initialized?, nil: return nil
        default: return nil
        }
    }

    /// Why a charge by token failed stands in a part of the order that its answer need not hold: it is read for that, once.
    private func failureStep(in checkout: CheckoutState) -> Step? {
        guard checkout.chargesAtCreation, checkout.order?.failure == nil, checkout.canBeRead,
            checkout.looks == 0, checkout.requests.readFailures == nil,
            checkout.requests.unusableAnswers == 0
        else { return nil }
        return readOrder(in: checkout, notBefore: nil, isPoll: false)
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
                        amount: checkout.isVerification ? 0 : order.paid?.amount ?? order.amount,
                        transactionType: order.paid?.transactionType
                    )
                )
            )
        ]
    }

    /// After the end: an order that was complete by the client's account is confirmed as soon as it can be read.
    func confirmationStep(in checkout: CheckoutState) -> Step? {
        if checkout.outcome == .completed, checkout.confirmation == nil,
            checkout.order?.status == .paid,
            !checkout.isMismatchTold
        {
            return .record(confirmation(of: checkout))
        }
        if checkout.outcome != .completed, checkout.order?.status == .paid, !checkout.isMismatchTold
        {
            return .record([.problem(.paidAfterTheEnd)])
        }
        guard checkout.news != nil, checkout.canBeRead else { return nil }
        return readOrder(in: checkout, notBefore: nil, isPoll: false)
    }

    /// The payer left the page: what the order says of it.
    func resultStep(in checkout: CheckoutState) -> Step? {
        guard let left = checkout.left else { return nil }
        switch left {
        case .canceled:
            return closingStep(in: checkout)
                ?? .record([.canceled(Canceled(by: .payer))])
        case .failed:
            return closingStep(in: checkout)
                ?? .record([.failed(Failed(reason: .pageFailed))])
        case .completed:
            guard checkout.canBeRead else {
                // Only where nobody can read the order its client's account ends the checkout: the host does not read
                // orders, or its backend gives them no identifier.
                let isTold = checkout.problem?.problem.kind == .notConfirmed
                if checkout.readsOrders == false || checkout.isNameless && !isTold {
                    return .record([.completed(Completed(evidence: .completeURLReached))])
                }
                return isTold ? .rest : .record([.problem(.notConfirmed)])
            }
            let last = checkout.lastLookAt ?? checkout.lastAt
            guard checkout.looks <= limits.confirmationPauses.count else {
                guard checkout.problem?.problem.kind == .notConfirmed else {
                    return .record([.problem(.notConfirmed)])
                }
                // People know; a late payment is still found.
                let late = last + limits.orderBackstop
                return readOrder(in: checkout, notBefore: late, isPoll: true)
            }
            let pause = limits.confirmationPauses[max(checkout.looks, 1) - 1]
            return readOrder(in: checkout, notBefore: last + pause, isPoll: false)
        }
    }

    /// What nobody pays any more is given up at the PSP, once, so that it can't be paid later.
    private func closingStep(in checkout: CheckoutState) -> Step? {
        guard !checkout.isClosingTried || checkout.requests.failures?.last.retryAt != nil,
            let operation = checkout.order?.operation([.abortOrder, .updateAbort]),
            let href = operation.href
        else { return nil }
        return send(
            operation.rel,
            operation.method ?? "PATCH",
            to: href,
            .abortReason(Self.abortReason),
            in: checkout
        )
    }

    func giveUpStep(in checkout: CheckoutState) -> Step? {
        guard checkout.abortRequestedBy != nil, let order = checkout.order else { return nil }
        guard let operation = order.operation([.abortOrder, .updateAbort]),
            let href = operation.href
        else {
            // The operations of an order that was read since are all there is.
            guard checkout.canBeRead, checkout.looks == 0 else {
                return .record([
                    .problem(.abortNotAllowed(title: "The order can't be given up now"))
                ])
            }
            return readOrder(in: checkout, notBefore: nil, isPoll: false)
        }
        return send(
            operation.rel,
            operation.method ?? "PATCH",
            to: href,
            .abortReason(Self.abortReason),
            in: checkout
        )
    }

    /// Why an order is given up, in the PSP's word.
    ///
    /// - Note: Source: merchant backend API, instrument change and abort.
    static let abortReason = "CancelledByConsumer"
}

extension CheckoutState {
    /// Whether the merchant backend gave the order no identifier, so that nobody can ask for it.
    fileprivate var isNameless: Bool {
        opening.gateway != .psp && order != nil && order?.id == nil
    }

    /// Whether the order only verifies the payer's details.
    fileprivate var isVerification: Bool {
        order?.purpose == PaymentOrderPurpose.verify.rawValue
    }

    /// Whether what was paid is what was ordered.
    fileprivate var isPaidAsOrdered: Bool {
        guard let order else { return false }
        let terms = opening.terms
        if let wanted = terms.currency, let currency = order.currency, wanted != currency {
            return false
        }
        guard purpose == .purchase || purpose.chargesToken, let wanted = terms.amount else {
            return true
        }
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

    /// The order was paid after this session had ended otherwise.
    fileprivate static let paidAfterTheEnd = Problem(
        origin: .engine,
        kind: .orderMismatch,
        title: .plain("The order was paid after the checkout had ended unpaid"),
        detail: .plain("Deliver, or give the money back."),
        isRetryable: false,
        actor: .merchant,
        rel: .order
    )

    /// A charge by token was taken, and the order says neither that it is paid nor that it failed.
    static let chargeNotConfirmed = Problem(
        origin: .engine,
        kind: .notConfirmed,
        title: .plain("The charge was taken, but the order says neither paid nor failed"),
        detail: .plain("Charge nothing again before the order says what came of it."),
        isRetryable: true,
        actor: .psp,
        rel: .paymentOrders
    )

    /// The payer finished, and the order does not say that it is paid.
    static let notConfirmed = Problem(
        origin: .engine,
        kind: .notConfirmed,
        title: .plain("The payment was finished, but the payment order is not paid"),
        detail: .plain("Nothing is to be delivered before the order says that it is paid."),
        isRetryable: true,
        actor: .psp,
        rel: .order
    )
}
