internal import Adapters
internal import EventLog
internal import HTTPTypes
internal import Logging

/// Sends requests to the PSP's API with the merchant's token.
///
/// The token is sent only to the API's own origin, whatever a response or a caller names.
///
/// - Note: Source: PSP API conventions.
struct PSPClient: Sendable {
    /// The API version used to create and read orders.
    enum Version: String {
        /// The second generation: check-in, `view-paymentorder`.
        case second = "2.0"
        /// The third generation: `view-checkout`; callbacks contain the payment order's number.
        case third = "3.1"
    }

    let transport: any Transport
    let configuration: BackendConfiguration
    let logger: Logger

    /// The operations of the API.
    var api: PaymentOrderAPI { PaymentOrderAPI(root: configuration.pspURL) }

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
    func isOwn(_ href: String) -> Bool {
        guard let origin = WebAddress.origin(of: href) else { return false }
        return origin == WebAddress.origin(of: configuration.pspURL)
    }

    /// Performs an operation.
    ///
    /// - Returns: The object in the response; `nil` when the response is empty.
    func perform(
        _ request: OrderRequest,
        version: Version? = nil
    ) async throws(BackendProblem) -> [String: ForeignJSON]? {
        let session = BackendRoot.randomID()
        var headers: HTTPFields = [
            .accept: "application/json",
            .authorization: "Bearer " + configuration.accessToken.text,
            FieldName.sessionID: session,
        ]
        if request.json != nil {
            let suffix = version.map { ";version=" + $0.rawValue } ?? ""
            headers[.contentType] = "application/json" + suffix
        }
        let response: TransportResponse
        do {
            response = try await transport.perform(
                TransportRequest(
                    method: request.method,
                    url: request.address,
                    headers: headers,
                    body: request.json.map { Array($0.text.utf8) },
                    overallDeadline: configuration.upstreamDeadline
                )
            )
        } catch {
            logger.warning(
                "PSP request failed",
                metadata: [
                    "method": "\(request.method)", "session": "\(session)", "why": "\(error)",
                ]
            )
            throw error.kind == .timedOut
                ? .gatewayTimeout
                : .badGateway(status: nil)
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
        let isBlank = response.body.allSatisfy { " \t\r\n".utf8.contains($0) }
        let object = try? ForeignJSON(
            parsing: response.body,
            maximumDepth: configuration.maximumDepth
        ).object
        if (200...299).contains(response.status) {
            if isBlank { return nil }
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
