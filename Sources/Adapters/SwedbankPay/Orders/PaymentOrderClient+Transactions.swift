internal import EventLog
internal import SwedbankPay

/// What is done with the money of a paid order.
///
/// Each carries its own unique `payeeReference`: sent again after a lost answer, it is refused instead of done twice.
///
/// - Note: Certainty: after a lost answer read the order with `financialTransactions` and look for the reference.
/// - Note: Source: payment order API, capture, cancel, reversal, payeeReference.
extension PaymentOrderClient {
    /// A capture or reversal.
    public struct Amounts: Hashable, Sendable {
        /// The unique reference.
        public var payeeReference: String
        /// In minor units, value-added tax included.
        public var amount: Int64
        /// The tax in it, in minor units.
        public var vatAmount: Int64
        /// What the payer may read of it.
        public var description: String
        /// A receipt's number, for invoices.
        public var receiptReference: String?
        /// What it is for, as a JSON array.
        public var orderItems: String?

        /// These amounts.
        public init(
            payeeReference: String,
            amount: Int64,
            vatAmount: Int64,
            description: String,
            receiptReference: String? = nil,
            orderItems: String? = nil
        ) {
            self.payeeReference = payeeReference
            self.amount = amount
            self.vatAmount = vatAmount
            self.description = description
            self.receiptReference = receiptReference
            self.orderItems = orderItems
        }
    }

    /// Takes some of the authorised amount, or all of it.
    ///
    /// - Returns: The order, when the answer holds it (version 3.1); else it has to be read.
    /// - Throws: ``OrderAPIError/missingOperation(_:)`` when there is nothing to capture.
    @discardableResult
    public func capture(
        _ amounts: Amounts,
        of order: OrderAnswer
    ) async throws(OrderAPIError) -> OrderAnswer? {
        try await transaction(.capture, .capture, amounts, of: order)
    }

    /// Gives back some of the captured amount, or all of it; it may take days.
    ///
    /// - Returns: The order, when the answer holds it; else it has to be read.
    /// - Throws: ``OrderAPIError/missingOperation(_:)`` when there is nothing to give back.
    @discardableResult
    public func reverse(
        _ amounts: Amounts,
        of order: OrderAnswer
    ) async throws(OrderAPIError) -> OrderAnswer? {
        try await transaction(.reversal, .reversal, amounts, of: order)
    }

    /// Releases all that was authorised and not captured.
    ///
    /// - Returns: The order, when the answer holds it (version 3.1); else it has to be read.
    /// - Throws: ``OrderAPIError/missingOperation(_:)`` when there is nothing to release.
    @discardableResult
    public func cancel(
        _ order: OrderAnswer,
        payeeReference: String,
        description: String
    ) async throws(OrderAPIError) -> OrderAnswer? {
        let request = TransactionRequest(
            kind: .cancel,
            payeeReference: payeeReference,
            description: .plain(description)
        )
        return try await send(request, .cancelOrder, description, orderItems: nil, of: order)
    }

    private func transaction(
        _ kind: TransactionKind,
        _ rel: Rel,
        _ amounts: Amounts,
        of order: OrderAnswer
    ) async throws(OrderAPIError) -> OrderAnswer? {
        let request = TransactionRequest(
            kind: kind,
            payeeReference: amounts.payeeReference,
            amount: amounts.amount,
            vatAmount: amounts.vatAmount,
            description: .plain(amounts.description),
            receiptReference: amounts.receiptReference
        )
        return try await send(
            request,
            rel,
            amounts.description,
            orderItems: amounts.orderItems,
            of: order
        )
    }

    private func send(
        _ request: TransactionRequest,
        _ rel: Rel,
        _ description: String,
        orderItems: String?,
        of order: OrderAnswer
    ) async throws(OrderAPIError) -> OrderAnswer? {
        let link = try order.required(rel)
        let body = try OrderBodies.transaction(
            request,
            description: description,
            orderItems: orderItems,
            limits: exchange.sender.options.limits
        )
        return try await exchange.orderIfAny(
            exchange.routes.transaction(link.rel, at: link.href, body)
        )
    }
}
