public import SwedbankPay

/// A merchant backend, called over HTTP: it creates payment orders for those who hold no access token of the PSP.
///
/// Only the root is known beforehand; everything else is found by following links, which lead to allowed domains alone.
/// Orders of both generations are understood.
///
/// - Note: Isolation: any; cancelling the calling task cancels the request.
/// - Note: Source: merchant backend API, root discovery, endpoints.
public struct MerchantBackendClient: Sendable {
    var exchange: OrderExchange
    private let cache: EndpointCache

    /// A client of a backend.
    ///
    /// - Parameters:
    ///   - root: The backend's root; with a slash at its end its helper addresses lie beneath it.
    ///   - transport: What carries the requests; its allow-list has to name the backend's host as well.
    ///   - access: The headers that the backend wants, and where its links may lead.
    ///   - options: Deadlines and bounds.
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

    /// The same client, whose calls carry these headers as well: of one payer, or of one call.
    public func adding(_ headers: OrderAccess.Headers) -> MerchantBackendClient {
        var client = self
        client.exchange.sender.additional += headers
        return client
    }

    /// Where the backend takes consumers and orders.
    ///
    /// Asked for again only when the last answer may not be used any more (`Cache-Control`).
    public func endpoints() async throws(OrderAPIError) -> MerchantBackendEndpoints {
        let routes = exchange.routes
        if let known = cache.endpoints(of: routes.root) { return known }
        let response = try await exchange.answer(to: routes.discovery)
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

    /// Begins a check-in.
    ///
    /// - Parameters:
    ///   - language: The language of the form, for example `sv-SE`.
    ///   - shippingCountries: The countries that the payer's address may be in (ISO 3166-1).
    public func startCheckIn(
        language: String,
        shippingCountries: [String]
    ) async throws(OrderAPIError) -> ConsumerCheckIn {
        let body = OrderBodies.consumer(language: language, shippingCountries: shippingCountries)
        let call = try await exchange.routes.consumers(at: endpoints().consumers, body)
        return try await exchange.value(call) { object, reader throws(SnapshotRefusal) in
            try ConsumerCheckIn(object, reader)
        }
    }

    /// Creates an order.
    ///
    /// What the answer lacks is told when it is wanted (``OrderAnswer/required(_:)``), never by an error here: the order
    /// exists.
    ///
    /// - Parameters:
    ///   - document: The order as JSON text, bare or within `paymentorder`.
    ///   - instrument: The method to lock it to, instead of the document's.
    ///   - consumerProfileRef: Who checked in; the rest of the document's payer stays.
    /// - Note: Certainty: after a lost answer the order may exist; a backend gives each try its own reference.
    public func create(
        _ document: String,
        instrument: PaymentMethodName? = nil,
        consumerProfileRef: String? = nil
    ) async throws(OrderAPIError) -> OrderAnswer {
        let body = try OrderBodies.order(
            document,
            OrderBodies.Overrides(
                instrument: instrument,
                consumerProfileRef: consumerProfileRef,
                userAgent: exchange.sender.access.userAgent
            ),
            limits: exchange.sender.options.limits
        )
        return try await exchange.order(
            exchange.routes.create(at: endpoints().orders, body)
        )
    }

    /// Creates an order; the same for a document that was not read or written as JSON.
    public func create(
        _ order: PaymentOrder,
        instrument: PaymentMethodName? = nil,
        consumerProfileRef: String? = nil
    ) async throws(OrderAPIError) -> OrderAnswer {
        try await create(
            PaymentOrderDocument.text(of: order),
            instrument: instrument,
            consumerProfileRef: consumerProfileRef
        )
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

    /// Reads an order, with some of its parts in full.
    ///
    /// - Parameters:
    ///   - id: The order's path.
    ///   - names: The parts, for example `paid` and `failedAttempts`.
    public func order(
        _ id: String,
        expanding names: [String] = []
    ) async throws(OrderAPIError) -> OrderAnswer {
        try await exchange.order(exchange.routes.read(id, expanding: names))
    }
}
