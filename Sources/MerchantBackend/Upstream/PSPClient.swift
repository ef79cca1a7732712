internal import Adapters
internal import Logging

/// Calls the PSP's API with the merchant's token.
///
/// The token goes to the API's own origin and nowhere else, whatever an answer or a caller names.
///
/// - Note: Source: PSP API conventions.
struct PSPClient: Sendable {
    /// What orders are created and read with.
    enum Version: String {
        /// Check-in, `view-paymentorder`.
        case second = "2.0"
        /// `view-checkout`; callbacks name the payment order's number.
        case third = "3.1"
    }

    let transport: any Transport
    let configuration: BackendConfiguration
    let logger: Logger

    /// Calls a path below the API's root.
    ///
    /// - Returns: The answer's object; nothing when the answer is empty.
    func call(
        _ method: String,
        path: String,
        sending body: String? = nil,
        version: Version? = nil
    ) async throws(BackendProblem) -> [String: ProviderJSON]? {
        try await perform(
            method,
            address: configuration.pspURL + path,
            body: body,
            version: version
        )
    }

    /// Calls a link that the PSP gave us.
    ///
    /// - Throws: 502 when it leads elsewhere than to the API.
    func follow(
        _ link: RegisteredOrder.Link,
        sending body: String?
    ) async throws(BackendProblem) -> [String: ProviderJSON]? {
        guard isOwn(link.href) else {
            logger.warning("a link of the PSP leads elsewhere", metadata: ["rel": "\(link.rel)"])
            throw .badGateway(status: 200)
        }
        return try await perform(link.method, address: link.href, body: body, version: nil)
    }

    /// Whether an address lies at the API's own origin.
    func isOwn(_ href: String) -> Bool {
        guard let origin = WebAddress.origin(of: href) else { return false }
        return origin == WebAddress.origin(of: configuration.pspURL)
    }

    private func perform(
        _ method: String,
        address: String,
        body: String?,
        version: Version?
    ) async throws(BackendProblem) -> [String: ProviderJSON]? {
        let session = BackendRoot.randomID()
        var headers = [
            ("Accept", "application/json"),
            ("Authorization", "Bearer " + configuration.accessToken.text),
            ("Session-Id", session),
        ]
        if body != nil {
            let suffix = version.map { ";version=" + $0.rawValue } ?? ""
            headers.append(("Content-Type", "application/json" + suffix))
        }
        let response: Adapters.HTTPResponse
        do {
            response = try await transport.perform(
                Adapters.HTTPRequest(
                    method: method,
                    url: address,
                    headers: headers.map { (name: $0.0, value: $0.1) },
                    body: body.map { Array($0.utf8) },
                    overallDeadline: configuration.upstreamDeadline
                )
            )
        } catch {
            logger.warning(
                "PSP call failed",
                metadata: ["method": "\(method)", "session": "\(session)", "why": "\(error)"]
            )
            throw error.kind == .timedOut
                ? .gatewayTimeout
                : .badGateway(status: nil)
        }
        logger.debug(
            "PSP call",
            metadata: [
                "method": "\(method)", "session": "\(session)", "status": "\(response.status)",
            ]
        )
        return try read(response)
    }

    private func read(
        _ response: Adapters.HTTPResponse
    ) throws(BackendProblem) -> [String: ProviderJSON]? {
        let isBlank = response.body.allSatisfy { " \t\r\n".utf8.contains($0) }
        let object = try? ProviderJSON(
            parsing: response.body,
            maximumDepth: configuration.maximumDepth
        ).object
        if (200...299).contains(response.status) {
            if isBlank { return nil }
            guard let object else { throw .badGateway(status: response.status) }
            return object
        }
        // A refusal of our own token says nothing about the caller's credentials.
        guard (400...599).contains(response.status), response.status != 401,
            let object, object["type"]?.string != nil
        else { throw .badGateway(status: response.status) }
        throw BackendProblem(forwarding: object, status: response.status)
    }
}
