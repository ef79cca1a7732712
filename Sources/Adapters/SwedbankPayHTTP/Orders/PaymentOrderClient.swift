public import SwedbankPay
public import UVTransport

/// A client of the PSP's payment order API, for a service that holds the access token.
///
/// The token is sent to the API's own origin only, whatever a response links to. Operations are
/// looked up in the order each time and never cached: what an order offers changes with its status.
///
/// - Note: Isolation: any; canceling the calling task cancels the request.
/// - Note: Source: payment order API, conventions, payment order operations, status model.
public struct PaymentOrderClient: Sendable {
    var exchange: OrderExchange

    /// Creates a client of the PSP.
    ///
    /// - Parameters:
    ///   - root: The base of the API, for example `https://api.payex.com/`.
    ///   - transport: The transport for the requests.
    ///   - access: The access token and the version of the API.
    ///   - options: Deadlines and limits.
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

    /// Returns a client that adds headers to its requests, for example `Forwarded`.
    public func adding(_ headers: OrderAccess.Headers) -> PaymentOrderClient {
        var client = self
        client.exchange.sender.additional += headers
        return client
    }

    /// Starts a check-in.
    public func startCheckIn(
        language: String,
        shippingCountries: [String]
    ) async throws(OrderAPIError) -> ConsumerCheckIn {
        let body = OrderBodies.consumer(language: language, shippingCountries: shippingCountries)
        let request = try exchange.routes.consumers(at: nil, body)
        return try await exchange.value(request, ConsumerCheckIn.init(_:_:))
    }

    /// Creates an order.
    ///
    /// - Parameters:
    ///   - document: The order as JSON text, bare or within `paymentorder`.
    ///   - payeeReference: The unique reference of this try, instead of the document's.
    /// - Returns: The created order.
    /// - Throws: ``OrderAPIError``.
    /// - Note: Certainty: after a lost response the order may exist. Sent again with the same
    ///   reference, the request is refused, and no second order is created.
    public func create(
        _ document: String,
        payeeReference: String? = nil
    ) async throws(OrderAPIError) -> OrderResponse {
        let overrides = OrderBodies.Overrides(payeeReference: payeeReference)
        let body = try exchange.body(of: document, overrides)
        return try await exchange.order(exchange.routes.create(at: nil, body))
    }

    /// Creates an order from a model instead of a JSON document.
    public func create(
        _ order: PaymentOrder,
        payeeReference: String? = nil
    ) async throws(OrderAPIError) -> OrderResponse {
        try await create(PaymentOrderDocument.text(of: order), payeeReference: payeeReference)
    }

    /// Reads an order and expands some of its sub-resources.
    ///
    /// - Parameters:
    ///   - id: The order's path, for example from a callback; anything but the path of an order is
    ///     refused.
    ///   - names: The sub-resources to expand, for example `paid`, `failedAttempts` and
    ///     `financialTransactions`.
    /// - Returns: The order.
    /// - Throws: ``OrderAPIError``.
    public func order(
        _ id: String,
        expanding names: [String] = []
    ) async throws(OrderAPIError) -> OrderResponse {
        try await exchange.order(exchange.routes.read(id, expanding: names))
    }

    /// Returns how an order was paid; `nil` while it is not paid, or when it was undone as a whole.
    ///
    /// - Note: Source: payment order API, confirming an order: the status decides, not a signal
    ///   from the payer's side.
    public func payment(of id: String) async throws(OrderAPIError) -> OrderPayment? {
        let order = try await order(id, expanding: ["paid"])
        return order.isPaid ? order.paid ?? OrderPayment() : nil
    }

    /// Locks an order in instrument mode to another method.
    ///
    /// - Throws: ``OrderAPIError/notInInstrumentMode``, ``OrderAPIError/missingOperation(_:)``, and
    ///   the errors of the request.
    public func setInstrument(
        _ instrument: PaymentMethodName,
        of order: OrderResponse
    ) async throws(OrderAPIError) -> OrderResponse {
        try await exchange.setInstrument(instrument, of: order)
    }

    /// Changes amounts and items before the payer has finished; the payer's menu must be reloaded.
    ///
    /// - Parameters:
    ///   - order: The order.
    ///   - amount: The new amount in minor units, including value-added tax.
    ///   - vatAmount: The value-added tax in it, in minor units.
    ///   - orderItems: All items as a JSON array; `nil` omits them.
    /// - Returns: The order, when the response contains it.
    /// - Throws: ``OrderAPIError/missingOperation(_:)`` when the order cannot be changed now, and
    ///   the errors of the request.
    @discardableResult
    public func update(
        _ order: OrderResponse,
        amount: Amount,
        vatAmount: Amount,
        orderItems: String? = nil
    ) async throws(OrderAPIError) -> OrderResponse? {
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

    /// Aborts an order that is not paid.
    ///
    /// - Returns: The order, when the response contains it.
    /// - Throws: ``OrderAPIError/missingOperation(_:)`` when the order cannot be aborted now, and
    ///   the errors of the request.
    @discardableResult
    public func abort(
        _ order: OrderResponse,
        reason: String
    ) async throws(OrderAPIError) -> OrderResponse? {
        try await exchange.abort(order, reason: reason)
    }
}
