internal import EventLog
internal import SwedbankPay
internal import UVTransport

/// Sends the clients' requests and reads their responses; anything but the expected content becomes
/// an error.
struct OrderExchange: Sendable {
    var sender: OrderSender
    let routes: OrderRoutes

    /// Creates exchanges with a backend or with the PSP.
    ///
    /// - Throws: ``OrderAPIError/malformedRoot``.
    init(sender: OrderSender, access: GatewayAccess) throws(OrderAPIError) {
        self.sender = sender
        routes = OrderRoutes(access)
        let root = APIAddress.upgraded(
            access.root,
            allowsInsecureLoopback: sender.options.allowsInsecureLoopback
        )
        guard let root, let parts = AddressParts(root), parts.query == nil, parts.fragment == nil
        else { throw .malformedRoot }
    }

    /// The body that creates an order, with the user agent of the client's access.
    func body(
        of document: String,
        _ overrides: OrderBodies.Overrides
    ) throws(OrderAPIError) -> ForeignJSON {
        var overrides = overrides
        overrides.userAgent = sender.access.userAgent
        return try OrderBodies.order(document, overrides, limits: sender.options.limits)
    }

    /// Locks an order in instrument mode to another method.
    func setInstrument(
        _ instrument: PaymentMethodName,
        of order: OrderResponse
    ) async throws(OrderAPIError) -> OrderResponse {
        let link = try order.instrumentLink()
        return try await self.order(
            routes.change(link.rel, at: link.href, OrderBodies.setInstrument(instrument))
        )
    }

    /// Aborts an order that is not paid.
    func abort(
        _ order: OrderResponse,
        reason: String
    ) async throws(OrderAPIError) -> OrderResponse? {
        let link = try order.required(.abortOrder)
        return try await orderIfAny(
            routes.change(link.rel, at: link.href, OrderBodies.abort(reason: reason))
        )
    }

    /// The order in the response to a request.
    func order(_ request: OrderRequest) async throws(OrderAPIError) -> OrderResponse {
        let response = try await response(to: request)
        guard let order = try? order(in: response, to: request) else { throw unexpected(response) }
        return order
    }

    /// The order in the response to a request, if it contains one.
    ///
    /// - Returns: `nil` when the request succeeded and the response contains no order.
    func orderIfAny(_ request: OrderRequest) async throws(OrderAPIError) -> OrderResponse? {
        let response = try await response(to: request)
        return (try? order(in: response, to: request)) ?? nil
    }

    /// The value read from the object in the response to a request.
    func value<Value>(
        _ request: OrderRequest,
        _ read: (ResponseObject, OrderResponseReader) throws(SnapshotRefusal) -> Value?
    ) async throws(OrderAPIError) -> Value {
        let response = try await response(to: request)
        guard case .object(let object) = sender.content(of: response),
            let value = (try? read(object, reader(of: request))) ?? nil
        else { throw unexpected(response) }
        return value
    }

    /// Sends a request whose response content does not matter.
    func perform(_ request: OrderRequest) async throws(OrderAPIError) {
        _ = try await response(to: request)
    }

    /// The response to a request; an unsuccessful status is an error.
    func response(to request: OrderRequest) async throws(OrderAPIError) -> TransportResponse {
        let response = try await sender.send(request, by: routes)
        guard (200...299).contains(response.status) else {
            throw .problem(APIProblem(response, limits: sender.options.limits))
        }
        return response
    }

    /// The error for a successful response without the requested content.
    func unexpected(_ response: TransportResponse) -> OrderAPIError {
        .problem(APIProblem(unexpected: response, limits: sender.options.limits))
    }

    private func order(
        in response: TransportResponse,
        to request: OrderRequest
    ) throws(SnapshotRefusal) -> OrderResponse? {
        guard case .object(let object) = sender.content(of: response) else { return nil }
        return try reader(of: request).order(object)
    }

    private func reader(of request: OrderRequest) -> OrderResponseReader {
        OrderResponseReader(
            limits: sender.options.limits,
            address: request.address,
            gateway: routes.gateway
        )
    }
}
