internal import EventLog
internal import FoundationEssentials
internal import HTTPTypes
internal import SwedbankPay
package import UVTransport

/// Sends requests about payment orders: checks their addresses, adds credentials, and returns the
/// response unread.
///
/// The provider, both clients and the merchant backend use it, so that a single place decides what
/// may be sent.
package struct OrderSender: Sendable {
    let transport: any Transport
    let options: SwedbankPayOptions
    let access: OrderAccess
    /// Header fields of one caller's requests, in addition to those of ``OrderAccess/headers``.
    package var additional: OrderAccess.Headers = []
    /// The version of the API that requests to the PSP name; `nil` when they name none.
    package var version: OrderAPIVersion?

    /// Creates a sender whose requests to the PSP name the version of the access.
    package init(transport: any Transport, options: SwedbankPayOptions, access: OrderAccess) {
        self.transport = transport
        self.options = options
        self.access = access
        version = access.version
    }

    /// Sends a request.
    ///
    /// - Returns: The response, whatever its status.
    package func send(
        _ request: OrderRequest,
        by routes: OrderRoutes
    ) async throws(OrderAPIError) -> TransportResponse {
        let address = try permitted(request.address, of: request.rel, by: routes)
        let headers = try await headers(of: request, to: address, by: routes)
        do throws(TransportFailure) {
            return try await transport.perform(
                TransportRequest(
                    method: request.method,
                    url: address,
                    headers: headers,
                    body: request.json.map { Array($0.text.utf8) },
                    connectDeadline: options.connectDeadline,
                    overallDeadline: request.asksIssuer
                        ? options.cardRequestDeadline : options.requestDeadline,
                    maximumResponseBytes: options.maximumResponseBytes
                )
            )
        } catch {
            throw .network(error)
        }
    }

    /// The domains that a backend's links may lead to.
    func allowed(by routes: OrderRoutes) -> LinkAllowList {
        access.allowList ?? .host(of: routes.root)
    }

    /// Whether requests may go to an address exactly as it is written.
    package func permits(_ address: String, by routes: OrderRoutes) -> Bool {
        (try? permitted(address, of: .order, by: routes)) == address
    }

    /// The address of a request, if it is permitted.
    ///
    /// Requests to the PSP carry its access token, so they go to the exact origin of the API and
    /// nowhere else.
    private func permitted(
        _ address: String,
        of rel: Rel,
        by routes: OrderRoutes
    ) throws(OrderAPIError) -> String {
        guard let root = callable(routes.root), root.query == nil, root.fragment == nil else {
            throw .malformedRoot
        }
        guard let address = upgraded(address), let parts = callable(address),
            parts.fragment == nil, let host = parts.host
        else { throw .malformedLink(rel) }
        switch routes.gateway {
        case .psp:
            guard parts.scheme == root.scheme, host == root.host,
                parts.effectivePort == root.effectivePort
            else { throw .foreignDomain(host: host) }
        case .merchantBackend, .custom:
            guard allowed(by: routes).allows(host: host) else { throw .foreignDomain(host: host) }
        }
        return address
    }

    private func upgraded(_ address: String) -> String? {
        APIAddress.upgraded(address, allowsInsecureLoopback: options.allowsInsecureLoopback)
    }

    private func callable(_ address: String) -> AddressParts? {
        upgraded(address).flatMap { AddressParts($0) }
    }

    private func headers(
        of request: OrderRequest,
        to address: String,
        by routes: OrderRoutes
    ) async throws(OrderAPIError) -> HTTPFields {
        var headers: HTTPFields = [.accept: "application/json, application/problem+json"]
        let version = routes.gateway == .psp ? version : nil
        if request.json != nil || version != nil {
            headers[.contentType] = version?.contentType ?? "application/json"
        }
        var own: OrderAccess.Headers
        var token: String?
        do {
            if routes.gateway == .psp {
                // Credentials for a backend are not sent to the PSP.
                own = []
                token = try await access.accessToken(routes.root)
            } else {
                own = try await access.headers(
                    OrderAccess.Request(method: request.method, address: address, root: routes.root)
                )
            }
        } catch is CancellationError {
            throw .network(TransportFailure(reach: .notSent, kind: .canceled))
        } catch {
            throw .accessUnavailable
        }
        own += additional
        if routes.gateway == .psp {
            guard let token, !token.isEmpty else { throw .accessUnavailable }
            headers[FieldName.sessionID] = UUID().uuidString.lowercased()
            own.removeAll { $0.name.lowercased() == "authorization" }
            own.append(("Authorization", "Bearer " + token))
        }
        // A field replaces a default of the same name; of several, the last one counts.
        do throws(TransportFailure) {
            for field in try HTTPFields(checking: own) { headers[fields: field.name] = [field] }
        } catch {
            throw .network(error)
        }
        return headers
    }
}

extension AddressParts {
    /// The port to connect to, including the scheme's default.
    fileprivate var effectivePort: Int? {
        if let port, !port.isEmpty { return Int(port) }
        switch scheme {
        case "https": return 443
        case "http": return 80
        default: return nil
        }
    }
}

extension OrderSender {
    /// The kinds of content of a response.
    enum Content {
        /// Success, with an object.
        case object(ResponseObject)
        /// Success without a body.
        case empty
        /// Success with any other content.
        case unreadable
        /// An unsuccessful status.
        case refusal
    }

    /// Classifies a response; any status from 200 to 299 is a success.
    ///
    /// - Note: Source: merchant backend API, endpoints, problems and content types.
    func content(of response: TransportResponse) -> Content {
        guard (200...299).contains(response.status) else { return .refusal }
        guard !response.isBlank else { return .empty }
        guard ContentType.isJSON(response.headers.lastValue(of: .contentType)),
            let object = try? ResponseObject(parsing: response.body, limits: options.limits)
        else { return .unreadable }
        return .object(object)
    }
}
