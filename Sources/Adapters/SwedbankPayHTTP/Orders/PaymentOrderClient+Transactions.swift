internal import EventLog
public import SwedbankPay

/// Captures, reversals and cancellations of a paid order.
///
/// Each has its own unique `payeeReference`: when a request is repeated after a lost response, it
/// is refused instead of executed twice.
///
/// - Note: Certainty: after a lost response, read the order with `financialTransactions` and search
///   for the reference.
/// - Note: Source: payment order API, capture, cancel, reversal, payeeReference.
extension PaymentOrderClient {
    /// The amounts of a capture or reversal.
    public struct Amounts: Hashable, Sendable {
        /// The unique reference.
        public var payeeReference: String
        /// The amount in minor units, including value-added tax.
        public var amount: Amount
        /// The value-added tax in it, in minor units.
        public var vatAmount: Amount
        /// A description that the payer may see.
        public var description: String
        /// A receipt number, for invoices.
        public var receiptReference: String?
        /// The order items concerned, as a JSON array.
        public var orderItems: String?

        /// Creates amounts with these members.
        public init(
            payeeReference: String,
            amount: Amount,
            vatAmount: Amount,
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

    /// Captures a part of the authorized amount, or all of it.
    ///
    /// - Returns: The order, when the response contains it (version 3.1); otherwise read the order.
    /// - Throws: ``OrderAPIError/missingOperation(_:)`` when there is nothing to capture, and the
    ///   errors of the request.
    @discardableResult
    public func capture(
        _ amounts: Amounts,
        of order: OrderResponse
    ) async throws(OrderAPIError) -> OrderResponse? {
        try await transaction(.capture, .capture, amounts, of: order)
    }

    /// Reverses (refunds) a part of the captured amount, or all of it; this may take days.
    ///
    /// - Returns: The order, when the response contains it; otherwise read the order.
    /// - Throws: ``OrderAPIError/missingOperation(_:)`` when there is nothing to reverse, and the
    ///   errors of the request.
    @discardableResult
    public func reverse(
        _ amounts: Amounts,
        of order: OrderResponse
    ) async throws(OrderAPIError) -> OrderResponse? {
        try await transaction(.reversal, .reversal, amounts, of: order)
    }

    /// Cancels everything that was authorized and not captured.
    ///
    /// - Returns: The order, when the response contains it (version 3.1); otherwise read the order.
    /// - Throws: ``OrderAPIError/missingOperation(_:)`` when there is nothing to cancel, and the
    ///   errors of the request.
    @discardableResult
    public func cancel(
        _ order: OrderResponse,
        payeeReference: String,
        description: String
    ) async throws(OrderAPIError) -> OrderResponse? {
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
        of order: OrderResponse
    ) async throws(OrderAPIError) -> OrderResponse? {
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
        of order: OrderResponse
    ) async throws(OrderAPIError) -> OrderResponse? {
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
