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
    /// - Returns: The transaction; its `result` is `nil` if the outcome is unknown, and the view's
    ///   problem says why.
    /// - Throws: ``PaymentError/refused(_:)`` when the payment was not opened by
    ///   ``PaymentService/checkout(_:reference:metadata:changing:)`` at the PSP, when the order is
    ///   not paid, when the amount exceeds what is left, or when it is in another currency.
    @discardableResult
    public func capture(
        _ amount: Money,
        vat: Money,
        description: String,
        reference: String? = nil
    ) async throws(PaymentError) -> OrderTransaction {
        try await transact(.capture, amount, vat, description, reference)
    }

    /// Cancels what was authorized and not captured, and waits for the result.
    ///
    /// - Returns: The same as ``capture(_:vat:description:reference:)``.
    @discardableResult
    public func cancel(
        description: String,
        reference: String? = nil
    ) async throws(PaymentError) -> OrderTransaction {
        try await transact(.cancel, nil, nil, description, reference)
    }

    /// Reverses a captured amount, and waits for the result.
    ///
    /// - Returns: The same as ``capture(_:vat:description:reference:)``.
    @discardableResult
    public func reverse(
        _ amount: Money,
        vat: Money,
        description: String,
        reference: String? = nil
    ) async throws(PaymentError) -> OrderTransaction {
        try await transact(.reversal, amount, vat, description, reference)
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
        _ reference: String?
    ) async throws(PaymentError) -> OrderTransaction {
        if let amount, let vat, vat.currency != amount.currency {
            throw .refused(.malformedTransaction("vatAmount"))
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
        let asked = try await PaymentError.translating { [transaction] () throws(EngineError) in
            try await engine.transact(checkout.id, transaction)
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
