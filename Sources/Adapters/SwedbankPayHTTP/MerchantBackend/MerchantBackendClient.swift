public import SwedbankPay
public import UVTransport

/// A client of a merchant backend, which creates payment orders for apps that have no access token
/// of the PSP.
///
/// Only the root is known beforehand; everything else is discovered by following links, which may
/// lead to allowed domains only. Orders of both generations are supported.
///
/// - Note: Isolation: any; canceling the calling task cancels the request.
/// - Note: Source: merchant backend API, root discovery, endpoints.
public struct MerchantBackendClient: Sendable {
    var exchange: OrderExchange
    private let cache: EndpointCache

    /// Creates a client of a backend.
    ///
    /// - Parameters:
    ///   - root: The backend's root; if it ends with a slash, its helper addresses are below it.
    ///   - transport: The transport for the requests; its list of permitted hosts must include the
    ///     backend's host as well.
    ///   - access: The headers that the backend requires, and where its links may lead.
    ///   - options: Deadlines and limits.
    /// - Throws: ``OrderAPIError/malformedRoot``.
    public init(
        root: String,
        transport: any Transport,
        access: OrderAccess = OrderAccess(),
        options: SwedbankPayOptions = SwedbankPayOptions()
    ) throws(OrderAPIError) {
        try self.init(
            root: root,
            transport: transport,
            access: access,
            options: options,
            cache: EndpointCache()
        )
    }

    init(
        root: String,
        transport: any Transport,
        access: OrderAccess,
        options: SwedbankPayOptions,
        cache: EndpointCache
    ) throws(OrderAPIError) {
        exchange = try OrderExchange(
            sender: OrderSender(transport: transport, options: options, access: access),
            access: GatewayAccess(gateway: .merchantBackend, root: root)
        )
        self.cache = cache
    }

    /// Returns a client that adds headers to its requests, for one payer or one request.
    public func adding(_ headers: OrderAccess.Headers) -> MerchantBackendClient {
        var client = self
        client.exchange.sender.additional += headers
        return client
    }

    /// Returns the backend's endpoints for consumers and orders.
    ///
    /// They are requested again only when the last response may not be reused (`Cache-Control`).
    public func endpoints() async throws(OrderAPIError) -> MerchantBackendEndpoints {
        let routes = exchange.routes
        if let known = cache.endpoints(of: routes.root) { return known }
        let response = try await exchange.response(to: routes.discovery)
        guard case .object(let object) = exchange.sender.content(of: response),
            let found = try MerchantBackendEndpoints(
                object,
                from: routes.root,
                allowed: exchange.sender.allowed(by: routes)
            )
        else { throw exchange.unexpected(response) }
        cache.keep(found, of: routes.root, headers: response.headers)
        return found
    }

    /// Starts a check-in.
    ///
    /// - Parameters:
    ///   - language: The language of the form, for example `sv-SE`.
    ///   - shippingCountries: The countries that the payer's address may be in (ISO 3166-1).
    /// - Returns: Where the payer checks in.
    /// - Throws: ``OrderAPIError``.
    public func startCheckIn(
        language: String,
        shippingCountries: [String]
    ) async throws(OrderAPIError) -> ConsumerCheckIn {
        let body = OrderBodies.consumer(language: language, shippingCountries: shippingCountries)
        let request = try await exchange.routes.consumers(at: endpoints().consumers, body)
        return try await exchange.value(request, ConsumerCheckIn.init(_:_:))
    }

    /// Creates an order.
    ///
    /// Members that the response lacks cause an error only when they are used
    /// (``OrderResponse/required(_:)``), never here: the order exists.
    ///
    /// - Parameters:
    ///   - document: The order as JSON text, bare or within `paymentorder`.
    ///   - instrument: The method to lock the order to, instead of the document's.
    ///   - consumerProfileRef: The consumer who checked in; the document's other payer members
    ///     stay.
    /// - Returns: The created order.
    /// - Throws: ``OrderAPIError``.
    /// - Note: Certainty: after a lost response the order may exist; a backend gives each try its
    ///   own reference.
    public func create(
        _ document: String,
        instrument: PaymentMethodName? = nil,
        consumerProfileRef: String? = nil
    ) async throws(OrderAPIError) -> OrderResponse {
        let body = try exchange.body(
            of: document,
            OrderBodies.Overrides(instrument: instrument, consumerProfileRef: consumerProfileRef)
        )
        return try await exchange.order(exchange.routes.create(at: endpoints().orders, body))
    }

    /// Creates an order from a model instead of a JSON document.
    public func create(
        _ order: PaymentOrder,
        instrument: PaymentMethodName? = nil,
        consumerProfileRef: String? = nil
    ) async throws(OrderAPIError) -> OrderResponse {
        try await create(
            PaymentOrderDocument.text(of: order),
            instrument: instrument,
            consumerProfileRef: consumerProfileRef
        )
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

    /// Reads an order and expands some of its sub-resources.
    ///
    /// - Parameters:
    ///   - id: The order's path.
    ///   - names: The sub-resources to expand, for example `paid` and `failedAttempts`.
    /// - Returns: The order.
    /// - Throws: ``OrderAPIError``.
    public func order(
        _ id: String,
        expanding names: [String] = []
    ) async throws(OrderAPIError) -> OrderResponse {
        try await exchange.order(exchange.routes.read(id, expanding: names))
    }
}
