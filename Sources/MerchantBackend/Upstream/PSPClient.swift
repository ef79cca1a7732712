internal import Adapters
internal import EventLog
internal import HTTPTypes
internal import Logging
internal import SwedbankPay

/// Sends requests to the PSP's API with the merchant's token.
///
/// The token is sent only to the API's own origin, whatever a response or a caller names.
///
/// - Note: Source: PSP API conventions.
struct PSPClient: Sendable {
    private let sender: OrderSender
    private let routes: OrderRoutes
    private let maximumDepth: Int
    private let logger: Logger

    /// Creates a client for the API that a configuration names.
    init(transport: any Transport, configuration: BackendConfiguration, logger: Logger) {
        var options = SwedbankPayOptions()
        options.allowsInsecureLoopback = configuration.allowsInsecureLoopback
        options.requestDeadline = configuration.upstreamDeadline
        let token = configuration.accessToken.text
        sender = OrderSender(
            transport: transport,
            options: options,
            access: OrderAccess(accessToken: { _ in token })
        )
        routes = OrderRoutes(GatewayAccess(gateway: .psp, root: configuration.pspURL))
        maximumDepth = configuration.maximumDepth
        self.logger = logger
    }

    /// The operations of the API.
    var api: PaymentOrderAPI { routes.api }

    /// Follows a link received from the PSP.
    ///
    /// - Parameters:
    ///   - link: The link.
    ///   - request: The request to send there.
    /// - Returns: The object in the response; `nil` when the response is empty.
    /// - Throws: 502 when it leads elsewhere than to the API.
    func follow(
        _ link: RegisteredOrder.Link,
        _ request: OrderRequest
    ) async throws(BackendProblem) -> [String: ForeignJSON]? {
        guard isOwn(request.address) else {
            logger.warning(
                "a link of the PSP leads to another host",
                metadata: ["rel": "\(link.rel)"]
            )
            throw .badGateway(status: 200)
        }
        guard let method = HTTPRequest.Method(link.method) else { throw .badGateway(status: nil) }
        var request = request
        request.method = method
        return try await perform(request)
    }

    /// Whether an address has the API's own origin.
    func isOwn(_ href: String) -> Bool { sender.permits(href, by: routes) }

    /// Performs an operation.
    ///
    /// - Parameters:
    ///   - request: The operation's request.
    ///   - version: The version of the API with which an order is created.
    /// - Returns: The object in the response; `nil` when the response is empty.
    /// - Throws: 502 or 504 without a usable response, and the PSP's own refusals.
    func perform(
        _ request: OrderRequest,
        version: OrderAPIVersion? = nil
    ) async throws(BackendProblem) -> [String: ForeignJSON]? {
        let session = BackendRoot.randomID()
        var sender = sender
        sender.version = version
        sender.additional = [
            ("Accept", "application/json"), (FieldName.sessionID.rawName, session),
        ]
        let response: TransportResponse
        do {
            response = try await sender.send(request, by: routes)
        } catch {
            logger.warning(
                "PSP request failed",
                metadata: [
                    "method": "\(request.method)", "session": "\(session)", "why": "\(error)",
                ]
            )
            if case .network(let failure) = error, failure.kind == .timedOut {
                throw .gatewayTimeout
            }
            throw .badGateway(status: nil)
        }
        logger.debug(
            "PSP request",
            metadata: [
                "method": "\(request.method)", "session": "\(session)",
                "status": "\(response.status)",
            ]
        )
        return try read(response)
    }

    private func read(
        _ response: TransportResponse
    ) throws(BackendProblem) -> [String: ForeignJSON]? {
        let object = try? ForeignJSON(
            parsing: response.body,
            maximumDepth: maximumDepth,
            repairsText: true
        ).object
        if (200...299).contains(response.status) {
            if response.isBlank { return nil }
            guard let object else { throw .badGateway(status: response.status) }
            return object
        }
        // A refusal of our own token does not concern the caller's credentials.
        guard (400...599).contains(response.status), response.status != 401,
            let object, object["type"]?.string != nil
        else { throw .badGateway(status: response.status) }
        throw BackendProblem(forwarding: object, status: response.status)
    }
}
