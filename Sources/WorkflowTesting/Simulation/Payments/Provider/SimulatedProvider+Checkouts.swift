internal import EventLog
public import SwedbankPay

extension SimulatedProvider {
    /// The payment order of a checkout, and what was done with its money.
    public struct Checkout: Hashable, Sendable {
        enum Stage: Hashable, Sendable {
            case absent, open, paid, aborted
        }

        /// A capture, cancellation or reversal that was done.
        public struct Transaction: Hashable, Sendable {
            /// What was done.
            public var kind: TransactionKind
            /// The merchant's reference of it.
            public var reference: String
            /// How much.
            public var amount: Int64
        }

        /// How much the order is for.
        static let amount: Int64 = 10_000

        var stage = Stage.absent
        /// What it will be paid with, or was: another amount after somebody changed it.
        var paidAmount = Self.amount
        var payer = Payer.approves
        var instrument: PaymentMethodName?
        /// The merchant's references of the orders that were created, the newest last.
        public internal(set) var references: [String] = []
        /// The payments that were made.
        public internal(set) var payments = 0
        /// What was done with the money, the oldest first.
        public internal(set) var transactions: [Transaction] = []

        /// How much was captured, and how much of it given back.
        func sum(of kind: TransactionKind) -> Int64 {
            transactions.filter { $0.kind == kind }.map(\.amount).reduce(0, +)
        }
    }

    /// Takes in what a checkout's payer will do.
    mutating func createCheckout(_ session: SessionID, payer: Payer) {
        var checkout = Checkout()
        checkout.payer = payer
        checkouts[session] = checkout
    }

    /// The payer pays on the PSP's page, if that is what this payer does and the order can be paid.
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
        _ call: OperationCall,
        of session: SessionID
    ) -> ProviderAnswer.Outcome {
        guard var checkout = checkouts[session] else { return Self.refusal(404) }
        let refusal = checkout.take(call, isCareless: isCareless)
        checkouts[session] = checkout
        if let refusal { return Self.refusal(refusal) }
        return .order(view(of: checkout), status: call.rel == .paymentOrders ? 201 : 200)
    }

    private static func refusal(_ status: Int) -> ProviderAnswer.Outcome {
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
    /// Lets a request take effect.
    ///
    /// - Returns: The status that refuses it; nothing when it takes effect.
    mutating func take(_ call: OperationCall, isCareless: Bool) -> Int? {
        switch (call.rel, call.body) {
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
    /// How much can still be captured or released, or given back.
    func left(for kind: TransactionKind) -> Int64 {
        guard kind != .reversal else { return sum(of: .capture) - sum(of: .reversal) }
        let isCanceled = transactions.contains { $0.kind == .cancel }
        return isCanceled ? 0 : paidAmount - sum(of: .capture)
    }
}

extension TransactionKind {
    /// The type that an order's list of transactions has.
    fileprivate var transactionType: String {
        switch self {
        case .capture: "Capture"
        case .cancel: "Cancellation"
        case .reversal: "Reversal"
        }
    }
}
