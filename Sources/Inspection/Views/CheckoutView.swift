public import EventLog
public import SwedbankPay

/// The additional members of a checkout's view.
public struct CheckoutView: Sendable {
    /// The state of a checkout, in the terms of the mobile SDKs.
    ///
    /// - Note: Source: web-payment process states.
    public enum Stage: String, Sendable, CaseIterable {
        /// No page is shown and no work is in progress.
        case idle
        /// The order is being created, or the payer is on the PSP's page.
        case inProgress
        /// The order is being locked to another method.
        case updatingPaymentOrder
        /// Paid.
        case complete
        /// Aborted.
        case canceled
        /// A failure that can be retried: `retry`.
        case retryableError
        /// Failed permanently.
        case failure
    }

    /// The state of the checkout.
    public var stage: Stage
    /// The party that creates and reads the order.
    public var gateway: OrderGateway
    /// The order, as last read.
    public var order: OrderSnapshot?
    /// Captures, cancellations and reversals.
    public var transactions: [OrderTransaction]
    /// The native session that pays the order now, or did last.
    public var session: SessionID?
    private let abortReason: String?
    private let failure: JSONValue

    init(
        _ checkout: CheckoutState,
        in state: SessionState,
        disclosing disclosure: Disclosure
    ) {
        gateway = checkout.opening.gateway
        order = checkout.order
        transactions = checkout.transactions
        session = checkout.nativeSessions.last
        abortReason = disclosure.text(checkout.order?.abortReason)
        failure =
            checkout.order?.failure.map { failure in
                .object([
                    .init("type", .string(failure.type)),
                    .init("status", JSONValue(failure.status.map(Int64.init))),
                    .init("title", JSONValue(disclosure.text(failure.title))),
                    .init("detail", JSONValue(disclosure.text(failure.detail))),
                ])
            } ?? .null
        stage =
            switch state.outcome {
            case .completed: .complete
            case .canceled: .canceled
            case .failed, .expired: .failure
            case nil:
                if state.problem?.problem.isRetryable == true {
                    // While money may be taken, the payer only waits.
                    state.money.permitsRetry ? .retryableError : .inProgress
                } else if state.isStalled {
                    .failure
                } else if checkout.wantedInstrument != nil {
                    .updatingPaymentOrder
                } else if checkout.order != nil, !checkout.isWanted {
                    .idle
                } else {
                    .inProgress
                }
            }
    }

    /// The view as JSON.
    var json: JSONValue {
        .object([
            .init("state", .string(stage.rawValue)),
            .init("gateway", .string(gateway.rawValue)),
            .init("session", session.map { .string("\($0)") } ?? .null),
            .init("order", order.map { json(of: $0) } ?? .null),
            .init("transactions", .array(transactions.map(\.json))),
        ])
    }

    private func json(of order: OrderSnapshot) -> JSONValue {
        .object([
            .init("id", JSONValue(order.id)), .init("number", JSONValue(order.number)),
            .init("status", JSONValue(order.status?.rawValue)),
            .init("currency", JSONValue(order.currency)), .init("amount", JSONValue(order.amount)),
            .init("vatAmount", JSONValue(order.vatAmount)),
            .init("instrument", JSONValue(order.instrument?.rawValue)),
            .init(
                "availableInstruments",
                .array(order.availableInstruments.map { .string($0.rawValue) })
            ),
            .init("remainingCaptureAmount", JSONValue(order.remainingCapture)),
            .init("remainingCancellationAmount", JSONValue(order.remainingCancellation)),
            .init("remainingReversalAmount", JSONValue(order.remainingReversal)),
            .init("transactionType", JSONValue(order.paid?.transactionType)),
            .init("abortReason", JSONValue(abortReason)), .init("failure", failure),
            .init("operations", .array(order.operations.map { .string($0.rel.rawValue) })),
        ])
    }
}

extension OrderTransaction {
    /// The transaction as JSON.
    fileprivate var json: JSONValue {
        .object([
            .init("kind", .string(request.kind.rawValue)),
            .init("payeeReference", .string(request.payeeReference)),
            .init("amount", JSONValue(request.amount)),
            .init("vatAmount", JSONValue(request.vatAmount)),
            .init("description", .string(request.description.shown)),
            .init("result", JSONValue(result?.rawValue)),
        ])
    }
}

extension SessionState {
    /// Whether the payment order is known here, so that its payment can be confirmed.
    var knowsOrder: Bool { checkout != nil || payment?.opening?.checkout != nil }
}
