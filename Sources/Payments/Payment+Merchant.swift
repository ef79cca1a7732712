public import Adapters
internal import EventLog
public import SwedbankPay
internal import Workflow

extension Payment {
    /// Captures an authorized amount, and waits for the result.
    ///
    /// Pass a reference: calls with the same reference capture only once, even after a crash.
    ///
    /// - Parameters:
    ///   - amount: The amount to capture, VAT included, in the order's currency.
    ///   - vat: The VAT included in the amount.
    ///   - description: A description that the payer may see.
    ///   - reference: The merchant's unique reference of the capture; generated when omitted.
    ///   - again: Whether it is requested although the PSP refused several before it.
    /// - Returns: The transaction; its `result` is `nil` if the outcome is unknown, and the view's
    ///   problem says why.
    /// - Throws: ``PaymentError/refused(_:)`` when the payment was not opened by
    ///   ``PaymentService/checkout(_:reference:metadata:changing:)`` at the PSP, when the order is
    ///   not paid, when the amount exceeds what is left or is in another currency, when the PSP
    ///   would refuse a member, and, unless `again` is true, after several that the PSP refused
    ///   (``Rejection/refusedInARow(_:_:)``). The order is read before that is decided.
    @discardableResult
    public func capture(
        _ amount: Money,
        vat: Money,
        description: String,
        reference: String? = nil,
        again: Bool = false
    ) async throws(PaymentError) -> OrderTransaction {
        try await transact(.capture, amount, vat, description, reference, again)
    }

    /// Cancels what was authorized and not captured, and waits for the result.
    ///
    /// - Returns: The same as ``capture(_:vat:description:reference:again:)``.
    @discardableResult
    public func cancel(
        description: String,
        reference: String? = nil,
        again: Bool = false
    ) async throws(PaymentError) -> OrderTransaction {
        try await transact(.cancel, nil, nil, description, reference, again)
    }

    /// Reverses a captured amount, and waits for the result.
    ///
    /// - Returns: The same as ``capture(_:vat:description:reference:again:)``.
    @discardableResult
    public func reverse(
        _ amount: Money,
        vat: Money,
        description: String,
        reference: String? = nil,
        again: Bool = false
    ) async throws(PaymentError) -> OrderTransaction {
        try await transact(.reversal, amount, vat, description, reference, again)
    }

    /// The tokens that a paid order produced, with which the payer can be charged again without a
    /// page: secrets.
    ///
    /// - Throws: ``PaymentError`` when the order cannot be read from the PSP.
    public var tokens: [OrderPayment.Token] {
        get async throws(PaymentError) {
            let (merchant, root) = try service.configuration.orders
            guard let order = try await merchantPayment().state.checkout?.order?.id else {
                return []
            }
            do throws(OrderAPIError) {
                let client = try PaymentOrderClient(
                    root: root,
                    transport: service.transport,
                    access: merchant.access,
                    options: service.configuration.api
                )
                return try await client.payment(of: order)?.tokens ?? []
            } catch {
                throw .failed(error, code: error.code)
            }
        }
    }

    /// Returns the checkout that holds the order; for a native payment, the one that handed it
    /// over.
    private func merchantPayment() async throws(PaymentError) -> Payment {
        try await state.payment?.opening?.checkout.map { service.payment($0) } ?? self
    }

    private func transact(
        _ kind: TransactionKind,
        _ amount: Money?,
        _ vat: Money?,
        _ description: String,
        _ reference: String?,
        _ again: Bool
    ) async throws(PaymentError) -> OrderTransaction {
        if let amount, let vat, vat.currency != amount.currency {
            let problem = FieldProblem("vatAmount", "must be in the amount's currency")
            throw .refused(.malformedTransaction([problem]))
        }
        let checkout = try await merchantPayment()
        var transaction = NewTransaction(
            kind: kind,
            amount: amount?.amount,
            vatAmount: vat?.amount,
            description: description
        )
        transaction.currency = amount?.currency
        transaction.payeeReference = reference
        transaction.again = again
        let asked = try await PaymentError.translating { [transaction] () throws(EngineError) in
            try await engine.readOrder(of: checkout.id)
            return try await engine.transact(checkout.id, transaction)
        }
        let known = asked.checkout?.transactions ?? []
        guard
            let made = reference.map({ name in known.last { $0.request.payeeReference == name } })
                ?? known.last
        else { preconditionFailure("a transaction of \(id) was accepted and is not there") }
        return try await checkout.settled(made)
    }

    /// Waits until a transaction has a result, or nothing is pending any more.
    private func settled(
        _ transaction: OrderTransaction
    ) async throws(PaymentError) -> OrderTransaction {
        let name = transaction.request.payeeReference
        var newest = transaction
        var updates = UpdateSource(self, goesOnAfterEnd: true).makeAsyncIterator()
        while let update = try await updates.next(isolation: nil) {
            newest =
                update.state.checkout?.transactions.last { $0.request.payeeReference == name }
                ?? newest
            if newest.result != nil || (update.isSettled && update.storeFailure == nil) { break }
        }
        return newest
    }
}
