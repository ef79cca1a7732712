internal import EventLog
package import SwedbankPay

/// One HTTP request about payment orders, before anything of the transport is added to it.
///
/// - Note: Source: merchant backend API, endpoints; payment order API, payment order operations.
package struct OrderCall: Sendable {
    /// What it is about, for errors.
    package var rel: Rel
    /// `GET`, `POST` or `PATCH`.
    package var method: String
    /// The absolute address to call.
    package var address: String
    /// What to send; nothing for `GET`.
    package var json: ProviderJSON?
    /// Whether it asks a bank or an issuer, which takes longer.
    var asksIssuer = false
}

/// The operations of the PSP's own API, each said once for everybody who holds its access token.
///
/// What stands in an address was checked by who asks.
///
/// - Note: Source: payment order API, payment order operations, tokens.
package struct PaymentOrderAPI: Sendable {
    /// The root as it was given.
    let root: String

    /// The API at a root.
    package init(root: String) { self.root = root }

    /// Begins a check-in.
    package func startCheckIn(_ consumer: ProviderJSON) -> OrderCall {
        OrderCall(rel: .consumers, method: "POST", address: below("psp/consumers"), json: consumer)
    }

    /// Creates an order.
    ///
    /// - Parameter body: The order within `paymentorder`.
    func create(_ body: ProviderJSON) -> OrderCall {
        OrderCall(rel: .paymentOrders, method: "POST", address: below(Self.orders), json: body)
    }

    /// Creates an order.
    package func create(_ order: PaymentOrder) -> OrderCall { create(["paymentorder": order.json]) }

    /// Reads an order, with some of its parts in full.
    package func read(_ id: String, expanding names: [String] = []) -> OrderCall {
        let query = names.isEmpty ? "" : "?$expand=" + names.joined(separator: ",")
        return OrderCall(rel: .order, method: "GET", address: below(String(id.dropFirst())) + query)
    }

    /// Changes an order before it is paid.
    ///
    /// - Parameter order: What is inside `paymentorder`.
    package static func change(_ rel: Rel, at href: String, _ order: ProviderJSON) -> OrderCall {
        OrderCall(rel: rel, method: "PATCH", address: href, json: ["paymentorder": order])
    }

    /// Lists what the PSP remembers of a payer.
    ///
    /// - Parameter list: The name of the list: of payment tokens, or of all.
    package func tokens(
        _ list: String = "payerownedpaymenttokens",
        of payerReference: String
    ) -> OrderCall {
        OrderCall(
            rel: Rel(rawValue: list),
            method: "GET",
            address: below("\(Self.orders)/\(list)/\(PercentEncoding.encoded(payerReference))")
        )
    }

    /// Where a token is deleted.
    func address(of token: String, _ kind: PayerToken.Kind) -> String {
        below("\(Self.orders)/\(kind.rawValue)/\(PercentEncoding.encoded(token))")
    }

    /// Deletes a token.
    package static func deletion(at href: String, comment: String) -> OrderCall {
        OrderCall(
            rel: .deletePaymentTokens,
            method: "PATCH",
            address: href,
            json: ["state": "Deleted", "comment": .string(comment)]
        )
    }

    private static let orders = "psp/paymentorders"

    private func below(_ path: String) -> String { OrderRoutes.join(root, path) }
}

/// Where calls go: the same request takes another way through a merchant backend than to the PSP itself.
struct OrderRoutes {
    /// Who is asked.
    let gateway: OrderGateway
    /// The root as it was given.
    let root: String

    /// Ways from a root.
    init(_ access: GatewayAccess) {
        gateway = access.gateway
        root = access.root
    }

    /// The PSP's own operations, where it is the PSP that is asked.
    var api: PaymentOrderAPI { PaymentOrderAPI(root: root) }

    /// The backend's root document.
    var discovery: OrderCall { OrderCall(rel: .root, method: "GET", address: root) }

    /// Begins a check-in.
    ///
    /// - Parameter address: Where the backend takes it; the PSP's is known.
    func consumers(at address: String?, _ body: ProviderJSON) throws(OrderAPIError) -> OrderCall {
        if gateway == .psp { return api.startCheckIn(body) }
        guard let address else { throw .missingOperation(.consumers) }
        return OrderCall(rel: .consumers, method: "POST", address: address, json: body)
    }

    /// Creates an order.
    ///
    /// - Parameter address: Where the backend takes it; the PSP's is known.
    func create(at address: String?, _ body: ProviderJSON) throws(OrderAPIError) -> OrderCall {
        if gateway == .psp { return api.create(body) }
        guard let address else { throw .missingOperation(.paymentOrders) }
        return OrderCall(rel: .paymentOrders, method: "POST", address: address, json: body)
    }

    /// Reads an order.
    func read(_ id: String, expanding names: [String]) throws(OrderAPIError) -> OrderCall {
        guard OrderValues.isID(id) else { throw .malformedValue("the order's id") }
        guard names.count <= OrderValues.maximumExpansions,
            names.allSatisfy(OrderValues.isExpansion)
        else { throw .malformedValue("a name to expand") }
        switch gateway {
        case .psp:
            return api.read(id, expanding: names)
        case .merchantBackend, .custom:
            return OrderCall(
                rel: .order,
                method: "POST",
                address: below("expand"),
                json: [
                    "resource": .string(id), "expand": .array(names.map { .string($0) }),
                ]
            )
        }
    }

    /// Changes an order before it is paid: its instrument, or that it is given up.
    ///
    /// - Parameters:
    ///   - rel: The operation's name as it was sent: a backend's own link is called itself, all others go through its
    ///     one address for changes.
    ///   - href: The operation's address.
    ///   - order: What is inside `paymentorder`.
    func change(_ rel: Rel, at href: String, _ order: ProviderJSON) -> OrderCall {
        var call = PaymentOrderAPI.change(rel, at: href, order)
        if gateway == .merchantBackend, rel != .backendInstrument {
            call.address = below("patch")
            call.json = ["href": .string(href), "paymentorder": order]
        }
        return call
    }

    /// Does something with the money of a paid order; only the PSP itself takes it.
    func transaction(
        _ rel: Rel,
        at href: String,
        _ transaction: ProviderJSON
    ) throws(OrderAPIError) -> OrderCall {
        guard gateway == .psp else { throw .missingOperation(rel) }
        return OrderCall(
            rel: rel,
            method: "POST",
            address: href,
            json: ["transaction": transaction],
            asksIssuer: true
        )
    }

    /// An address below the root, whether or not that ends with a slash.
    func below(_ path: String) -> String { Self.join(root, path) }

    fileprivate static func join(_ root: String, _ path: String) -> String {
        root.hasSuffix("/") ? root + path : root + "/" + path
    }
}

/// Which values may stand in addresses.
///
/// What stands in an address decides what is called; anything that could leave its place is refused.
enum OrderValues {
    /// How many sub-resources may be asked for in one request.
    static let maximumExpansions = 20
    /// The longest reference of a payer, in bytes.
    static let maximumPayerReference = 256

    /// Whether a text is the path of a payment order.
    ///
    /// - Note: Source: merchant backend API, flaws: only ids, never addresses.
    static func isID(_ text: String) -> Bool {
        let prefix = "/psp/paymentorders/"
        guard text.hasPrefix(prefix) else { return false }
        let id = text.utf8.dropFirst(prefix.utf8.count)
        return (1...64).contains(id.count)
            && id.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || $0 == UInt8(ascii: "-") }
    }

    /// Whether a text is the name of a sub-resource.
    static func isExpansion(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count) && text.utf8.allSatisfy(\.isASCIILetter)
    }

    /// A value as one segment of a path.
    ///
    /// - Returns: Nothing when it is empty, too long, or a step in the path.
    static func segment(_ text: String) -> String? {
        guard (1...maximumPayerReference).contains(text.utf8.count), text != ".", text != ".."
        else { return nil }
        return PercentEncoding.encoded(text)
    }
}
