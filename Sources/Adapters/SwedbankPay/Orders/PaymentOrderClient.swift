public import SwedbankPay

/// The payment orders of the PSP, called over HTTP by a service that holds the access token.
///
/// The token goes to the API's own origin alone, whatever an answer links to. Operations are looked up in the order each time
/// and never kept: what an order offers changes with its status.
///
/// - Note: Isolation: any; cancelling the calling task cancels the request.
/// - Note: Source: payment order API, conventions, payment order operations, status model.
public struct PaymentOrderClient: Sendable {
    var exchange: OrderExchange

    /// A client of the PSP.
    ///
    /// - Parameters:
    ///   - root: The base of the API, for example `https://api.payex.com/`.
    ///   - transport: What carries the requests.
    ///   - access: The access token and the version of the API.
    ///   - options: Deadlines and bounds.
    /// - Throws: ``OrderAPIError/malformedRoot``.
    public init(
        root: String,
        transport: any Transport,
        access: OrderAccess,
        options: SwedbankPayOptions = SwedbankPayOptions()
    ) throws(OrderAPIError) {
        exchange = try OrderExchange(
            sender: OrderSender(transport: transport, options: options, access: access),
            access: GatewayAccess(gateway: .psp, root: root)
        )
    }

    /// The same client, whose calls carry these headers as well, for example `Forwarded`.
    public func adding(_ headers: OrderAccess.Headers) -> PaymentOrderClient {
        var client = self
        client.exchange.sender.additional += headers
        return client
    }

    /// Begins a check-in.
    public func startCheckIn(
        language: String,
        shippingCountries: [String]
    ) async throws(OrderAPIError) -> ConsumerCheckIn {
        let body = OrderBodies.consumer(language: language, shippingCountries: shippingCountries)
        let call = try exchange.routes.consumers(at: nil, body)
        return try await exchange.value(call) { object, reader throws(SnapshotRefusal) in
            try ConsumerCheckIn(object, reader)
        }
    }

    /// Creates an order.
    ///
    /// - Parameters:
    ///   - document: The order as JSON text, bare or within `paymentorder`.
    ///   - payeeReference: The unique reference of this try, instead of the document's.
    /// - Note: Certainty: after a lost answer the order may exist. Sent again with the same reference it is refused, not
    ///   created twice.
    public func create(
        _ document: String,
        payeeReference: String? = nil
    ) async throws(OrderAPIError) -> OrderAnswer {
        let body = try OrderBodies.order(
            document,
            OrderBodies.Overrides(
                payeeReference: payeeReference,
                userAgent: exchange.sender.access.userAgent
            ),
            limits: exchange.sender.options.limits
        )
        return try await exchange.order(exchange.routes.create(at: nil, body))
    }

    /// Creates an order; the same for a document that was not read or written as JSON.
    public func create(
        _ order: PaymentOrder,
        payeeReference: String? = nil
    ) async throws(OrderAPIError) -> OrderAnswer {
        try await create(PaymentOrderDocument.text(of: order), payeeReference: payeeReference)
    }

    /// Reads an order, with some of its parts in full.
    ///
    /// - Parameters:
    ///   - id: The order's path, for example from a callback; anything else than a path of an order is refused.
    ///   - names: The parts, for example `paid`, `failedAttempts` and `financialTransactions`.
    public func order(
        _ id: String,
        expanding names: [String] = []
    ) async throws(OrderAPIError) -> OrderAnswer {
        try await exchange.order(exchange.routes.read(id, expanding: names))
    }

    /// How an order was paid; nothing while it is not, or when it was undone as a whole.
    ///
    /// - Note: Source: payment order API, confirming an order: the status decides, no signal of the payer's side.
    public func payment(of id: String) async throws(OrderAPIError) -> OrderPayment? {
        let order = try await order(id, expanding: ["paid"])
        return order.isPaid ? order.paid ?? OrderPayment() : nil
    }

    /// Locks an order in instrument mode to another method.
    ///
    /// - Throws: ``OrderAPIError/notInInstrumentMode``, ``OrderAPIError/missingOperation(_:)``.
    public func setInstrument(
        _ instrument: PaymentMethodName,
        of order: OrderAnswer
    ) async throws(OrderAPIError) -> OrderAnswer {
        let link = try order.instrumentLink()
        return try await exchange.order(
            exchange.routes.change(link.rel, at: link.href, OrderBodies.setInstrument(instrument))
        )
    }

    /// Changes amounts and items before the payer is done; the payer's menu has to be loaded again.
    ///
    /// - Parameter orderItems: All lines as a JSON array; nothing leaves them out.
    /// - Returns: The order, when the answer holds it.
    @discardableResult
    public func update(
        _ order: OrderAnswer,
        amount: Int64,
        vatAmount: Int64,
        orderItems: String? = nil
    ) async throws(OrderAPIError) -> OrderAnswer? {
        let link = try order.required(.updateOrder)
        let body = try OrderBodies.update(
            amount: amount,
            vatAmount: vatAmount,
            orderItems: orderItems,
            limits: exchange.sender.options.limits
        )
        return try await exchange.orderIfAny(
            exchange.routes.change(link.rel, at: link.href, body)
        )
    }

    /// Gives up an order that is not paid.
    ///
    /// - Returns: The order, when the answer holds it.
    /// - Throws: ``OrderAPIError/missingOperation(_:)`` for orders that can't be given up now.
    @discardableResult
    public func abort(
        _ order: OrderAnswer,
        reason: String
    ) async throws(OrderAPIError) -> OrderAnswer? {
        let link = try order.required(.abortOrder)
        return try await exchange.orderIfAny(
            exchange.routes.change(link.rel, at: link.href, OrderBodies.abort(reason: reason))
        )
    }
}
