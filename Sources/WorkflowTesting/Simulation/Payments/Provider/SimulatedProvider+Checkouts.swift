internal import EventLog
public import SwedbankPay

extension SimulatedProvider {
    /// The payment order of a checkout, and its transactions.
    public struct Checkout: Hashable, Sendable {
        enum Stage: Hashable, Sendable {
            case absent, open, paid, aborted, declined
        }

        /// How the PSP shows the order after it was paid.
        public enum Mood: Hashable, Sendable, CaseIterable {
            /// Its status and its amounts agree.
            case plain
            /// As failed, without any money: the payment is taken back.
            case takesBack
            /// As failed, with the amounts as before.
            case contradictory
            /// As reversed as soon as everything captured was reversed, whatever can still be
            /// captured.
            case reversedByWord
            /// With a transaction of a type that nobody documented.
            case unknownType
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
        /// Whether a stored token is charged at the creation, without the payer.
        var isCharge = false
        /// The merchant's references of the created orders, the newest last.
        public internal(set) var references: [String] = []
        /// The number of payments.
        public internal(set) var payments = 0
        /// How it is shown after it was paid.
        var mood = Mood.plain
        /// Whether the next transaction is accepted, and performed or refused later.
        var performsLater = false
        /// The transaction that was accepted.
        var pending: Transaction?
        /// The transactions that failed after they were accepted.
        var failed: [TransactionKind] = []
        /// The transactions, the oldest first.
        public internal(set) var transactions: [Transaction] = []

        /// Whether its amounts are shown as they are, and no transaction waits to be performed.
        var isClear: Bool { [.plain, .reversedByWord].contains(mood) && pending == nil }

        /// The total of captures, or of another kind of transaction.
        func sum(of kind: TransactionKind) -> Amount {
            transactions.filter { $0.kind == kind }.map(\.amount).reduce(0, +)
        }
    }

    /// Creates the order of a checkout, with the behavior of its payer.
    ///
    /// - Parameters:
    ///   - session: The session of the checkout.
    ///   - payer: Whether the payer pays; of a charge, whether the bank performs it at once.
    ///   - isCharge: Whether a stored token is charged at the creation.
    mutating func createCheckout(_ session: SessionID, payer: Payer, isCharge: Bool) {
        var checkout = Checkout()
        checkout.payer = payer
        checkout.isCharge = isCharge
        checkouts[session] = checkout
    }

    /// Pays on the PSP's page, if this payer does and the order can be paid.
    ///
    /// - Returns: Whether the order is paid now.
    mutating func payOnPage(_ session: SessionID) -> Bool {
        guard let checkout = checkouts[session], checkout.stage == .open, !checkout.isCharge,
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
        guard var checkout = checkouts[session] else { return .refusal(404) }
        let refusal = checkout.apply(request, isCareless: isCareless)
        checkouts[session] = checkout
        if let refusal { return .refusal(refusal) }
        return .order(view(of: checkout), status: request.rel == .paymentOrders ? 201 : 200)
    }

    private mutating func view(of checkout: Checkout) -> OrderSnapshot {
        let (captured, reversed) = (checkout.sum(of: .capture), checkout.sum(of: .reversal))
        let capturable = checkout.left(for: .capture)
        var order = OrderSnapshot(
            id: "/psp/paymentorders/\(checkout.references.count)",
            status: checkout.status,
            purpose: checkout.isCharge ? "Recur" : "Purchase",
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
        case .absent, .aborted, .declined: return order
        case .open:
            order.operations = checkout.isCharge ? [] : [link(.viewCheckout), link(.abortOrder)]
            if checkout.instrument != nil { order.operations.append(link(.setInstrument)) }
            return order
        case .paid: break
        }
        guard checkout.mood != .takesBack else {
            order.status = .failed
            return order
        }
        order.status = .paid
        order.remainingCapture = capturable
        order.remainingReversal = captured - reversed
        if checkout.pending == nil {
            if capturable > 0 { order.operations = [link(.capture), link(.cancelOrder)] }
            if captured > reversed { order.operations.append(link(.reversal)) }
        }
        let reference = checkout.references.last
        order.paid = PaidDetails(
            instrument: checkout.instrument ?? .creditCard,
            number: 4711,
            payeeReference: reference,
            transactionType: "Authorization",
            amount: checkout.paidAmount
        )
        if captured == 0, capturable == 0 { order.status = .cancelled }
        let isReversed = captured == checkout.paidAmount || checkout.mood == .reversedByWord
        if captured > 0, reversed == captured, isReversed { order.status = .reversed }
        if checkout.mood == .contradictory { order.status = .failed }
        order.failedTransactions = checkout.failed.map {
            FailedTransaction(type: $0.transactionType)
        }
        order.transactions =
            [FinancialTransaction(type: "Authorization", payeeReference: reference)]
            + checkout.transactions.map { done in
                FinancialTransaction(
                    type: done.kind.transactionType,
                    payeeReference: done.reference,
                    amount: done.amount
                )
            }
        if checkout.mood == .unknownType {
            order.transactions?.append(FinancialTransaction(type: "Chargeback", amount: 1_000))
        }
        return order
    }
}

extension SimulatedProvider.Checkout {
    /// The status of an order that is not paid.
    fileprivate var status: OrderStatus {
        switch stage {
        case .aborted: .aborted
        case .declined: .failed
        case .absent, .open, .paid: .initialized
        }
    }

    /// Charges the stored token: at once, unless the bank performs it later.
    private mutating func charge() {
        switch payer {
        case .approves: finishCharge(pays: true)
        case .declines: finishCharge(pays: false)
        case .hesitates: break
        }
    }

    /// The bank performs or declines the charge.
    mutating func finishCharge(pays: Bool) {
        stage = pays ? .paid : .declined
        payments += pays ? 1 : 0
    }

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
            if isCharge { charge() }
        case (.order, _): return stage == .absent ? 404 : nil
        case (.setInstrument, .instrument(let name)):
            guard stage == .open else { return 409 }
            instrument = name
        case (.abortOrder, _):
            guard stage == .open else { return 409 }
            stage = .aborted
        case (.capture, .transaction(let request)), (.cancelOrder, .transaction(let request)),
            (.reversal, .transaction(let request)):
            guard stage == .paid, pending == nil else { return 409 }
            let isKnown = transactions.contains { $0.reference == request.payeeReference }
            guard !isKnown || isCareless else { return 400 }
            let left = left(for: request.kind)
            guard left > 0, (request.amount ?? 0) <= left else { return 403 }
            let done = Transaction(
                kind: request.kind,
                reference: request.payeeReference,
                amount: request.amount ?? left
            )
            if performsLater { pending = done } else { transactions.append(done) }
        default: return 404
        }
        return nil
    }
}

extension SimulatedProvider.Checkout {
    /// The amount that can still be captured or canceled, or reversed.
    func left(for kind: TransactionKind) -> Amount {
        guard kind != .reversal else { return sum(of: .capture) - sum(of: .reversal) }
        return paidAmount - sum(of: .capture) - sum(of: .cancel)
    }

    /// Performs or refuses the transaction that was accepted.
    mutating func settle(performs: Bool) -> Bool {
        guard let pending else { return false }
        self.pending = nil
        if performs { transactions.append(pending) } else { failed.append(pending.kind) }
        return true
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

extension ProviderResponse.Outcome {
    /// A refusal that says nothing but its status.
    static func refusal(_ status: Int) -> Self {
        .refused(
            status: status,
            document: ProblemDocument(type: "about:blank", status: status),
            retryAfter: nil
        )
    }
}
