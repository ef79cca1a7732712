package import EventLog
package import HTTPTypes
package import SwedbankPay

/// One HTTP request about payment orders, independent of the transport.
///
/// - Note: Source: merchant backend API, endpoints; payment order API, payment order operations.
package struct OrderRequest: Sendable {
    /// The operation, for errors.
    package var rel: Rel
    /// `GET`, `POST` or `PATCH`.
    package var method: HTTPRequest.Method
    /// The absolute address.
    package var address: String
    /// The body; `nil` for `GET`.
    package var json: ForeignJSON?
    /// Whether the request involves a bank or an issuer, which takes longer.
    var asksIssuer = false
}

/// The requests of the PSP's own API, for every caller that has its access token.
///
/// The caller has validated the values that become part of an address.
///
/// - Note: Source: payment order API, payment order operations, tokens.
package struct PaymentOrderAPI: Sendable {
    /// The root as given.
    let root: String

    /// Creates requests for an API at a root.
    package init(root: String) { self.root = root }

    /// Starts a check-in.
    package func startCheckIn(_ consumer: ForeignJSON) -> OrderRequest {
        OrderRequest(
            rel: .consumers,
            method: .post,
            address: below("psp/consumers"),
            json: consumer
        )
    }

    /// Creates an order.
    ///
    /// - Parameter body: The order within `paymentorder`.
    /// - Returns: The request.
    func create(_ body: ForeignJSON) -> OrderRequest {
        OrderRequest(rel: .paymentOrders, method: .post, address: below(Self.orders), json: body)
    }

    /// Creates an order.
    package func create(_ order: PaymentOrder) -> OrderRequest {
        create(["paymentorder": order.json])
    }

    /// Reads an order and expands some of its sub-resources.
    package func read(_ id: String, expanding names: [String] = []) -> OrderRequest {
        let query = names.isEmpty ? "" : "?$expand=" + names.joined(separator: ",")
        return OrderRequest(
            rel: .order,
            method: .get,
            address: below(String(id.dropFirst())) + query
        )
    }

    /// Changes an order before it is paid.
    ///
    /// - Parameters:
    ///   - rel: The operation.
    ///   - href: The operation's address.
    ///   - order: The content of `paymentorder`.
    /// - Returns: The request.
    package static func change(_ rel: Rel, at href: String, _ order: ForeignJSON) -> OrderRequest {
        OrderRequest(rel: rel, method: .patch, address: href, json: ["paymentorder": order])
    }

    /// Lists the tokens that the PSP stores for a payer.
    ///
    /// - Parameters:
    ///   - list: The name of the list: payment tokens, or all tokens.
    ///   - payerReference: The merchant's reference of the payer.
    /// - Returns: The request.
    package func tokens(
        _ list: String = "payerownedpaymenttokens",
        of payerReference: String
    ) -> OrderRequest {
        OrderRequest(
            rel: Rel(rawValue: list),
            method: .get,
            address: below("\(Self.orders)/\(list)/\(PercentEncoding.encoded(payerReference))")
        )
    }

    /// The address at which a token is deleted.
    func address(of token: String, _ kind: PayerToken.Kind) -> String {
        below("\(Self.orders)/\(kind.rawValue)/\(PercentEncoding.encoded(token))")
    }

    /// Deletes a token.
    package static func deletion(at href: String, comment: String) -> OrderRequest {
        OrderRequest(
            rel: .deletePaymentTokens,
            method: .patch,
            address: href,
            json: ["state": "Deleted", "comment": .string(comment)]
        )
    }

    private static let orders = "psp/paymentorders"

    private func below(_ path: String) -> String { OrderRoutes.join(root, path) }
}

/// Routes requests: the same request takes a different path to a merchant backend than to the PSP
/// itself.
package struct OrderRoutes: Sendable {
    /// The party that is called.
    let gateway: OrderGateway
    /// The root as given.
    let root: String

    /// Creates routes from a root.
    package init(_ access: GatewayAccess) {
        gateway = access.gateway
        root = access.root
    }

    /// The PSP's own operations, for requests to the PSP.
    package var api: PaymentOrderAPI { PaymentOrderAPI(root: root) }

    /// Reads the backend's root document.
    var discovery: OrderRequest { OrderRequest(rel: .root, method: .get, address: root) }

    /// Starts a check-in.
    ///
    /// - Parameters:
    ///   - address: The backend's endpoint; the PSP's is known.
    ///   - body: The body.
    /// - Returns: The request.
    /// - Throws: ``OrderAPIError/missingOperation(_:)`` when a backend has no such endpoint.
    func consumers(at address: String?, _ body: ForeignJSON) throws(OrderAPIError) -> OrderRequest {
        if gateway == .psp { return api.startCheckIn(body) }
        guard let address else { throw .missingOperation(.consumers) }
        return OrderRequest(rel: .consumers, method: .post, address: address, json: body)
    }

    /// Creates an order.
    ///
    /// - Parameters:
    ///   - address: The backend's endpoint; the PSP's is known.
    ///   - body: The body.
    /// - Returns: The request.
    /// - Throws: ``OrderAPIError/missingOperation(_:)`` when a backend has no such endpoint.
    func create(at address: String?, _ body: ForeignJSON) throws(OrderAPIError) -> OrderRequest {
        if gateway == .psp { return api.create(body) }
        guard let address else { throw .missingOperation(.paymentOrders) }
        return OrderRequest(rel: .paymentOrders, method: .post, address: address, json: body)
    }

    /// Reads an order.
    func read(_ id: String, expanding names: [String]) throws(OrderAPIError) -> OrderRequest {
        guard OrderValues.isID(id) else { throw .malformedValue("the order's id") }
        guard names.count <= OrderValues.maximumExpansions,
            names.allSatisfy(OrderValues.isExpansion)
        else { throw .malformedValue("a name to expand") }
        switch gateway {
        case .psp:
            return api.read(id, expanding: names)
        case .merchantBackend, .custom:
            return OrderRequest(
                rel: .order,
                method: .post,
                address: below("expand"),
                json: [
                    "resource": .string(id), "expand": .array(names.map { .string($0) }),
                ]
            )
        }
    }

    /// Changes an order before it is paid: changes its instrument or aborts it.
    ///
    /// - Parameters:
    ///   - rel: The operation's name as received: a backend's own link is called directly, all
    ///     others go through its single address for changes.
    ///   - href: The operation's address.
    ///   - order: The content of `paymentorder`.
    /// - Returns: The request.
    func change(_ rel: Rel, at href: String, _ order: ForeignJSON) -> OrderRequest {
        var request = PaymentOrderAPI.change(rel, at: href, order)
        if gateway == .merchantBackend, rel != .backendInstrument {
            request.address = below("patch")
            request.json = ["href": .string(href), "paymentorder": order]
        }
        return request
    }

    /// Captures, cancels or reverses the money of a paid order; only the PSP itself supports it.
    func transaction(
        _ rel: Rel,
        at href: String,
        _ transaction: ForeignJSON
    ) throws(OrderAPIError) -> OrderRequest {
        guard gateway == .psp else { throw .missingOperation(rel) }
        return OrderRequest(
            rel: rel,
            method: .post,
            address: href,
            json: ["transaction": transaction],
            asksIssuer: true
        )
    }

    /// An address below the root, whether or not the root ends with a slash.
    func below(_ path: String) -> String { Self.join(root, path) }

    fileprivate static func join(_ root: String, _ path: String) -> String {
        root.hasSuffix("/") ? root + path : root + "/" + path
    }
}

/// Validates values that become part of addresses.
///
/// They decide which address is called; anything that could change another part of the address is
/// refused.
enum OrderValues {
    /// The maximum number of sub-resources to expand in one request.
    static let maximumExpansions = 20
    /// The maximum length of a payer's reference in bytes.
    static let maximumPayerReference = 256

    /// Whether a text is the path of a payment order.
    ///
    /// - Note: Source: merchant backend API, flaws: only ids, never addresses.
    static func isID(_ text: String) -> Bool { OrderPath.isPath(text) }

    /// Whether a text is the name of a sub-resource.
    static func isExpansion(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count) && text.utf8.allSatisfy(\.isASCIILetter)
    }

    /// A value as one segment of a path.
    ///
    /// - Returns: `nil` when the value is empty, too long, or `.` or `..`.
    static func segment(_ text: String) -> String? {
        guard (1...maximumPayerReference).contains(text.utf8.count), text != ".", text != ".."
        else { return nil }
        return PercentEncoding.encoded(text)
    }
}
