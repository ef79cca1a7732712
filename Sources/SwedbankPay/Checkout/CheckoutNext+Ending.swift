internal import EventLog
internal import Workflow

/// How a checkout ends: the order's status, what the payer did, and what was requested.
///
/// - Note: Source: payment order API, status model, confirming an order.
extension CheckoutRules {
    /// The order's own status takes precedence over everything that is planned.
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

    /// Reads the order once for the reason why a charge by token failed, because the response need
    /// not contain that part.
    private func failureStep(in checkout: CheckoutState) -> Step? {
        guard checkout.chargesAtCreation, checkout.order?.failure == nil, checkout.canBeRead,
            checkout.reads == 0, checkout.requests.readFailures == nil,
            checkout.requests.unusableResponses == 0
        else { return nil }
        return readOrder(in: checkout, notBefore: nil, isPoll: false)
    }

    /// An order paid as ordered is confirmed; one paid otherwise is reported as a problem.
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

    /// After the end, confirms an order that the client reported as complete, once the order can be
    /// read.
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
        if let order = checkout.order, !order.isSaidPaid,
            let withdrawal = checkout.withdrawal(order.status?.rawValue ?? "unpaid")
        {
            return .record([withdrawal])
        }
        guard checkout.canBeRead else { return nil }
        if checkout.readReason != nil {
            return readOrder(in: checkout, notBefore: nil, isPoll: false)
        }
        // A later response may be clear again, or show how the attempt ended.
        let isUnclear = checkout.book.doubts.contains { $0.cause == .contradiction }
        guard isUnclear || checkout.order?.isBeingPaid == true else { return nil }
        let late = (checkout.lastReadAt ?? checkout.lastAt) + limits.orderBackstop
        return readOrder(in: checkout, notBefore: late, isPoll: true)
    }

    /// Follows the state of the order after the payer left the page.
    func resultStep(in checkout: CheckoutState) -> Step? {
        guard let left = checkout.left else { return nil }
        switch left {
        case .canceled:
            return closingStep(in: checkout) ?? attemptStep(in: checkout)
                ?? .record([.canceled(Canceled(by: .payer))])
        case .failed:
            return closingStep(in: checkout) ?? attemptStep(in: checkout)
                ?? .record([.failed(Failed(reason: .pageFailed))])
        case .completed:
            guard checkout.canBeRead else {
                // Only where the order can't be read does the client's report end the checkout: the
                // host does not read orders, or its backend gives them no identifier.
                let isTold = checkout.problem?.problem.kind == .notConfirmed
                if checkout.readsOrders == false || checkout.isNameless && !isTold {
                    return .record([.completed(Completed(evidence: .completeURLReached))])
                }
                return isTold ? .rest : .record([.problem(.notConfirmed)])
            }
            let last = checkout.lastReadAt ?? checkout.lastAt
            guard let pause = confirmationPause(in: checkout) else {
                guard checkout.problem?.problem.kind == .notConfirmed else {
                    return .record([.problem(.notConfirmed)])
                }
                // The problem has been reported; a late payment is still found.
                let late = last + limits.orderBackstop
                return readOrder(in: checkout, notBefore: late, isPoll: true)
            }
            return readOrder(in: checkout, notBefore: last + pause, isPoll: false)
        }
    }

    /// The pause before the order is read again; `nil` after as many reads as there are pauses.
    private func confirmationPause(in checkout: CheckoutState) -> Duration? {
        let pauses = limits.confirmationPauses
        let index = max(checkout.reads, 1) - 1
        return index < pauses.count ? pauses[index] : nil
    }

    /// Reads an order that the payer has left while somebody is paying it, so that it can't be
    /// aborted, as long as the result of a payment is awaited.
    private func attemptStep(in checkout: CheckoutState) -> Step? {
        guard checkout.order?.isBeingPaid == true, checkout.canBeRead,
            let pause = confirmationPause(in: checkout)
        else { return nil }
        let last = checkout.lastReadAt ?? checkout.lastAt
        return readOrder(in: checkout, notBefore: last + pause, isPoll: false)
    }

    /// Aborts an order that the payer has given up, once, so that it can't be paid later.
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
            // The operations of an order that has just been read are all there are.
            guard checkout.canBeRead, checkout.reads == 0 else {
                return .record([
                    .problem(
                        .abortNotAllowed(.abortOrder, .noAbort)
                    )
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

    /// The reason for aborting an order, for the PSP.
    ///
    /// - Note: Source: merchant backend API, instrument change and abort.
    static let abortReason = "CancelledByConsumer"
}

extension CheckoutState {
    /// Whether the merchant backend gave the order no identifier, so that it can't be read.
    fileprivate var isNameless: Bool {
        opening.gateway != .psp && order != nil && order?.id == nil
    }

    /// Whether the order only verifies the payer's details.
    fileprivate var isVerification: Bool {
        order?.purpose == PaymentOrderPurpose.verify.rawValue
    }

    /// Whether the payment matches the order.
    fileprivate var isPaidAsOrdered: Bool {
        guard let order else { return false }
        let terms = opening.terms
        if let wanted = terms.currency, let currency = order.currency, wanted != currency {
            return false
        }
        guard purpose == .purchase || purpose.chargesToken, let wanted = terms.amount else {
            return true
        }
        // The method's fee or discount explains another amount, also that of the order.
        guard let paid = order.paid?.submitted else { return order.amount ?? wanted == wanted }
        return paid == wanted && [nil, wanted, order.paid?.amount].contains(order.amount)
    }
}

extension Problem {
    /// The order was paid differently from what was ordered.
    fileprivate static let orderMismatch = Problem(
        origin: .engine,
        kind: .orderMismatch,
        isRetryable: false,
        actor: .merchant,
        rel: .order
    )

    /// The order was paid after this session had ended otherwise.
    fileprivate static let paidAfterTheEnd = Problem(
        origin: .engine,
        kind: .orderMismatch,
        code: ProblemCause.paidAfterTheEnd.rawValue,
        isRetryable: false,
        actor: .merchant,
        rel: .order
    )

    /// A charge by token was accepted, but the order is neither paid nor failed.
    static let chargeNotConfirmed = Problem(
        origin: .engine,
        kind: .notConfirmed,
        isRetryable: true,
        actor: .psp,
        rel: .paymentOrders
    )

    /// The payer finished, but the order is not paid according to the PSP.
    static let notConfirmed = Problem(
        origin: .engine,
        kind: .notConfirmed,
        isRetryable: true,
        actor: .psp,
        rel: .order
    )
}
