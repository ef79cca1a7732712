/// The body of a capture, cancellation or reversal.
///
/// - Note: Source: payment order API, captures, cancellations and reversals.
struct TransactionRequest: Sendable {
    /// The maximum length of a description.
    static let longestDescription = 40
    /// The maximum length of a receipt's number.
    static let longestReceiptReference = 30

    let kind: TransactionKind
    let description: String
    /// The amount; `nil` for a cancellation, which releases everything.
    let amount: Int?
    let vatAmount: Int
    let payeeReference: String
    let receiptReference: String?
    let orderItems: JSON?

    /// Creates a transaction requested in the merchant's portal.
    init(_ kind: TransactionKind, amount: Int?, payeeReference: String, description: String) {
        self.kind = kind
        self.description = description
        self.amount = amount
        self.payeeReference = payeeReference
        vatAmount = 0
        receiptReference = nil
        orderItems = nil
    }

    /// Reads the body and reports everything that is wrong.
    init(_ kind: TransactionKind, _ body: JSON) throws(ProblemDetail) {
        var reader = BodyReader(body)
        self.kind = kind
        description = reader.string("transaction.description")
        if description.count > Self.longestDescription {
            reader.refuse(
                "transaction.description",
                "must be at most \(Self.longestDescription) characters"
            )
        }
        payeeReference = reader.string("transaction.payeeReference")
        if !payeeReference.isEmpty, !SandboxOrder.isReference(payeeReference) {
            reader.refuse(
                "transaction.payeeReference",
                "must be 1 to 30 letters or digits"
            )
        }
        receiptReference = reader.optionalString("transaction.receiptReference")
        if receiptReference?.count ?? 0 > Self.longestReceiptReference {
            reader.refuse(
                "transaction.receiptReference",
                "must be at most \(Self.longestReceiptReference) characters"
            )
        }
        if kind == .cancellation {
            for name in ["amount", "vatAmount"] where reader.has("transaction.\(name)") {
                reader.refuse("transaction.\(name)", "does not belong into a cancellation")
            }
            amount = nil
            vatAmount = 0
            orderItems = nil
        } else {
            let amount = reader.integer("transaction.amount")
            self.amount = amount
            vatAmount = reader.integer("transaction.vatAmount")
            if amount <= 0, reader.value("transaction.amount") != nil {
                reader.refuse("transaction.amount", "must be positive minor units")
            }
            if !(0...max(amount, 0)).contains(vatAmount) {
                reader.refuse("transaction.vatAmount", "must be 0 to amount")
            }
            orderItems = OrderItems.read(from: &reader, at: "transaction.orderItems")
            if let (field, rule) = OrderItems.mismatch(
                orderItems,
                amount: amount,
                vatAmount: vatAmount
            ) {
                reader.refuse("transaction.\(field)", rule)
            }
        }
        try reader.finish()
    }
}

extension PaymentOrder {
    /// The number of consecutive failures after which a kind of transaction is locked.
    ///
    /// - Note: Source: payment order API, captures and reversals.
    static let failureLimit = 5

    /// The transactions that the merchant may make on a paid order.
    func transactionOffers() -> [MerchantRel] {
        guard case .paid? = outcome, pendingReversal == nil else { return [] }
        let balance = balance
        var offers: [MerchantRel] = []
        if balance.capturable > 0 {
            if !isLocked(.capture) { offers.append(.capture) }
            offers.append(.cancel)
        }
        if balance.reversible > 0, !isLocked(.reversal) { offers.append(.reversal) }
        return offers
    }

    private func isLocked(_ kind: TransactionKind) -> Bool {
        consecutiveFailures[kind, default: 0] >= Self.failureLimit
    }

    /// Why the order cannot accept a transaction of this kind now; `nil` when it can.
    func obstacle(to kind: TransactionKind) -> ProblemDetail? {
        if isLocked(kind) {
            return .forbidden(
                "\(Self.failureLimit) tries failed in a row; contact the PSP's support."
            )
        }
        if transactionOffers().contains(kind.rel) { return nil }
        let reason =
            pendingReversal == nil
            ? "is not possible in the order's state" : "has to wait for the reversal under way"
        return .forbidden("The \(kind.rawValue) \(reason).")
    }

    /// Performs a transaction whose reference was not used before.
    ///
    /// - Returns: 200, or 202 while a bank processes the reversal.
    mutating func transact(
        _ request: TransactionRequest,
        bankTakes delay: Duration,
        at moment: Moment
    )
        throws(ProblemDetail) -> Int
    {
        let balance = balance
        let limit = request.kind == .reversal ? balance.reversible : balance.capturable
        let amount = request.amount ?? limit
        let number = nextTransaction
        if let problem = failure(of: request, amount: amount, limit: limit) {
            failedTransactions.append(
                FailedTransaction(
                    kind: request.kind,
                    number: number,
                    payeeReference: request.payeeReference,
                    created: moment.date,
                    problem: problem
                )
            )
            consecutiveFailures[request.kind, default: 0] += 1
            note(request.kind.failureName, by: .payee, amount: amount, at: moment)
            throw problem
        }
        let transaction = FinancialTransaction(
            kind: request.kind.movement,
            number: number,
            amount: amount,
            vatAmount: request.vatAmount,
            description: request.description,
            payeeReference: request.payeeReference,
            receiptReference: request.receiptReference ?? request.payeeReference,
            orderItems: request.orderItems,
            created: moment.date
        )
        if request.kind == .reversal, MethodName.reversesLater(paidAttempt?.method ?? "") {
            pendingReversal = PendingReversal(
                transaction: transaction,
                endsAt: moment.now + delay
            )
            return 202
        }
        finish(request.kind, transaction, at: moment)
        return 200
    }

    /// Why a transaction fails; `nil` when it succeeds.
    ///
    /// The magic amounts of card payments also decline transactions for a part of an order.
    private func failure(of request: TransactionRequest, amount: Int, limit: Int) -> ProblemDetail?
    {
        guard amount <= limit else { return .forbidden("The amount is more than what remains.") }
        guard request.kind != .cancellation, amount != self.request.amount else { return nil }
        return CardDecline.problem(for: amount, tries: failedTransactions.count + 1)
    }

    /// The response to a transaction: the order, or only the transaction before version 3.1.
    func document(after kind: TransactionKind, status: Int) -> JSON {
        guard request.version != .v31 else { return document() }
        let last = pendingReversal?.transaction ?? transactions.last
        guard let last, case .object(var members) = last.document(in: self) else { return [:] }
        members["state"] = status == 202 ? "Pending" : "Completed"
        let address = "\(path)/\(kind.segment)/\(last.number)"
        members["id"] = .string(address)
        return [
            "paymentOrder": .string(path),
            kind.rawValue: ["id": .string(address), "transaction": .object(members)],
        ]
    }
}

extension TransactionKind {
    /// The history's name for a failed transaction.
    fileprivate var failureName: String {
        switch self {
        case .capture: "PaymentCaptureFailed"
        case .cancellation: "PaymentCancelFailed"
        case .reversal: "PaymentReversalFailed"
        }
    }
}
