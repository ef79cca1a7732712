public import EventLog

/// The party that creates and reads payment orders for us.
///
/// - Note: Source: merchant backend API, role; payment order API, conventions.
public enum OrderGateway: String, Hashable, Sendable, CaseIterable {
    /// The merchant's backend, which holds the access token; its root document lists its addresses.
    case merchantBackend
    /// The PSP itself, for a service that holds the access token.
    case psp
    /// The host's own code.
    case custom
}

/// How a request reaches payment orders.
public struct GatewayAccess: Hashable, Sendable {
    /// The party that receives the request.
    public var gateway: OrderGateway
    /// The root of the backend, or the base URL of the PSP's API; it ends with a slash.
    public var root: String

    /// Creates access with these members.
    public init(gateway: OrderGateway, root: String) {
        self.gateway = gateway
        self.root = root
    }
}

/// The two generations of the PSP's checkout, which differ in names and shapes.
///
/// - Note: Source: merchant backend API, role and conventions.
public enum CheckoutGeneration: String, Hashable, Sendable, CaseIterable {
    /// Check-in, `view-paymentorder`, and a link in each order that changes its instrument.
    case v2
    /// `Checkout3`, `view-checkout`, and one address for every change.
    case v3
}

/// A merchant backend's addresses for consumers and orders; absolute, and within the allowed
/// domains.
///
/// - Note: Source: merchant backend API, root discovery.
public struct BackendEndpoints: Hashable, Sendable {
    /// The URL of check-ins; `nil` for backends without check-in.
    public var consumers: Sealed?
    /// The URL at which orders are created.
    public var orders: Sealed

    /// Creates endpoints with these addresses.
    public init(consumers: Sealed?, orders: Sealed) {
        self.consumers = consumers
        self.orders = orders
    }
}
