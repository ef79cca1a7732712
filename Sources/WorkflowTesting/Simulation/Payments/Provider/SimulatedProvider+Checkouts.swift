internal import EventLog
public import SwedbankPay

extension SimulatedProvider {
    /// The payment order of a checkout, and its transactions.
    public struct Checkout: Hashable, Sendable {
        enum Stage: Hashable, Sendable {
            case absent, open, paid, aborted
        }

        /// A completed capture, cancellation or reversal.
        public struct Transaction: Hashable, Sendable {
            /// The kind of transaction.
            public var kind: TransactionKind
            /// The merchant's reference of the transaction.
            public var reference: String
            /// The amount in minor units.
            public var amount: Amount
        }

        /// The amount of the order.
        static let amount: Amount = 10_000

        var stage = Stage.absent
        /// The amount that was or will be paid: a different one after a change of the order.
        var paidAmount = Self.amount
        var payer = Payer.approves
        var instrument: PaymentMethodName?
        /// The merchant's references of the created orders, the newest last.
        public internal(set) var references: [String] = []
        /// The number of payments.
        public internal(set) var payments = 0
        /// The transactions, the oldest first.
        public internal(set) var transactions: [Transaction] = []

        /// The total of captures, or of another kind of transaction.
        func sum(of kind: TransactionKind) -> Amount {
            transactions.filter { $0.kind == kind }.map(\.amount).reduce(0, +)
        }
    }

    /// Creates the order of a checkout, with the behavior of its payer.
    mutating func createCheckout(_ session: SessionID, payer: Payer) {
        var checkout = Checkout()
        checkout.payer = payer
        checkouts[session] = checkout
    }

    /// Pays on the PSP's page, if this payer does and the order can be paid.
    ///
    /// - Returns: Whether the order is paid now.
    mutating func payOnPage(_ session: SessionID) -> Bool {
        guard let checkout = checkouts[session], checkout.stage == .open,
            checkout.payer == .approves
        else { return false }
        checkouts[session]?.stage = .paid
        checkouts[session]?.payments += 1
        return true
    }

    /// Processes a request of a checkout.
    mutating func processOrder(
        _ request: OperationRequest,
        of session: SessionID
    ) -> ProviderResponse.Outcome {
        guard var checkout = checkouts[session] else { return Self.refusal(404) }
        let refusal = checkout.apply(request, isCareless: isCareless)
        checkouts[session] = checkout
        if let refusal { return Self.refusal(refusal) }
        return .order(view(of: checkout), status: request.rel == .paymentOrders ? 201 : 200)
    }

    private static func refusal(_ status: Int) -> ProviderResponse.Outcome {
        .refused(
            status: status,
            document: ProblemDocument(type: "about:blank", status: status),
            retryAfter: nil
        )
    }

    private mutating func view(of checkout: Checkout) -> OrderSnapshot {
        let (captured, reversed) = (checkout.sum(of: .capture), checkout.sum(of: .reversal))
        let isCancelled = checkout.transactions.contains { $0.kind == .cancel }
        var order = OrderSnapshot(
            id: "/psp/paymentorders/\(checkout.references.count)",
            status: checkout.stage == .aborted ? .aborted : .initialized,
            purpose: "Purchase",
            currency: "SEK",
            amount: checkout.paidAmount
        )
        if let instrument = checkout.instrument {
            order.instrument = instrument
            order.isInstrumentMode = true
            order.availableInstruments = [.creditCard, .swish]
        }
        func link(_ rel: Rel) -> Operation { Operation(rel: rel, href: secrets.seal(rel.rawValue)) }
        switch checkout.stage {
        case .absent, .aborted: return order
        case .open:
            order.operations = [link(.viewCheckout), link(.abortOrder)]
            if checkout.instrument != nil { order.operations.append(link(.setInstrument)) }
            return order
        case .paid: break
        }
        order.status = .paid
        order.remainingCapture = isCancelled ? 0 : checkout.paidAmount - captured
        order.remainingReversal = captured - reversed
        if captured < checkout.paidAmount, !isCancelled {
            order.operations = [link(.capture), link(.cancelOrder)]
        }
        if captured > reversed { order.operations.append(link(.reversal)) }
        let reference = checkout.references.last
        order.paid = PaidDetails(
            instrument: checkout.instrument ?? .creditCard,
            number: 4711,
            payeeReference: reference,
            transactionType: "Authorization",
            amount: checkout.paidAmount
        )
        if isCancelled, captured == 0 { order.status = .cancelled }
        if captured == checkout.paidAmount, reversed == captured { order.status = .reversed }
        order.transactions =
            [FinancialTransaction(type: "Authorization", payeeReference: reference)]
            + checkout.transactions.map { done in
                FinancialTransaction(
                    type: done.kind.transactionType,
                    payeeReference: done.reference,
                    amount: done.amount
                )
            }
        return order
    }
}

extension SimulatedProvider.Checkout {
    /// Applies a request.
    ///
    /// - Returns: The status with which it is refused; `nil` when it takes effect.
    mutating func apply(_ request: OperationRequest, isCareless: Bool) -> Int? {
        switch (request.rel, request.body) {
        case (.paymentOrders, .order(let submission)):
            let reference = submission.payeeReference ?? ""
            guard !references.contains(reference) else { return 400 }
            references.append(reference)
            instrument = submission.instrument
            stage = .open
        case (.order, _): return stage == .absent ? 404 : nil
        case (.setInstrument, .instrument(let name)):
            guard stage == .open else { return 409 }
            instrument = name
        case (.abortOrder, _):
            guard stage == .open else { return 409 }
            stage = .aborted
        case (.capture, .transaction(let request)), (.cancelOrder, .transaction(let request)),
            (.reversal, .transaction(let request)):
            guard stage == .paid else { return 409 }
            let isKnown = transactions.contains { $0.reference == request.payeeReference }
            guard !isKnown || isCareless else { return 400 }
            guard (request.amount ?? 0) <= left(for: request.kind) else { return 403 }
            transactions.append(
                Transaction(
                    kind: request.kind,
                    reference: request.payeeReference,
                    amount: request.amount ?? 0
                )
            )
        default: return 404
        }
        return nil
    }
}

extension SimulatedProvider.Checkout {
    /// The amount that can still be captured or canceled, or reversed.
    func left(for kind: TransactionKind) -> Amount {
        guard kind != .reversal else { return sum(of: .capture) - sum(of: .reversal) }
        let isCanceled = transactions.contains { $0.kind == .cancel }
        return isCanceled ? 0 : paidAmount - sum(of: .capture)
    }
}

extension TransactionKind {
    /// The type in an order's list of transactions.
    fileprivate var transactionType: String {
        switch self {
        case .capture: "Capture"
        case .cancel: "Cancellation"
        case .reversal: "Reversal"
        }
    }
}
