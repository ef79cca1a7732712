internal import SwedbankPay

/// The endpoints of a merchant backend for consumers and orders; absolute, and within the allowed
/// domains.
///
/// - Note: Source: merchant backend API, root discovery.
public struct MerchantBackendEndpoints: Hashable, Sendable {
    /// The URL at which check-ins are started; `nil` for backends without check-in.
    public var consumers: String?
    /// The URL at which orders are created.
    public var orders: String
}

extension MerchantBackendEndpoints {
    /// Reads a root document; returns `nil` when it has no URL for creating orders.
    ///
    /// - Parameters:
    ///   - response: The response's object.
    ///   - root: The address that it was read from, against which its links are resolved.
    ///   - allowed: The domains that links may lead to.
    /// - Throws: ``OrderAPIError/foreignDomain(host:)`` when a link leads out of the allowed
    ///   domains.
    init?(
        _ response: ResponseObject,
        from root: String,
        allowed: LinkAllowList
    ) throws(OrderAPIError) {
        func link(_ name: String) throws(OrderAPIError) -> String? {
            guard let text = response.text(name),
                let address = LinkResolution.resolve(text, against: root)
            else { return nil }
            guard allowed.allows(address) else {
                throw .foreignDomain(host: AddressParts(address)?.host ?? "")
            }
            return address
        }
        guard let orders = try link("paymentorders") else { return nil }
        self.init(consumers: try link("consumers"), orders: orders)
    }
}
