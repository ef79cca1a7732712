public import EventLog

/// Who creates and reads payment orders for us.
///
/// - Note: Source: merchant backend API, role; payment order API, conventions.
public enum OrderGateway: String, Hashable, Sendable, CaseIterable {
    /// The merchant's backend, which holds the access token; it is found by its root document.
    case merchantBackend
    /// The PSP itself, for a service that holds the access token.
    case psp
    /// The host's own code.
    case custom
}

/// The way to payment orders that a request takes.
public struct GatewayAccess: Hashable, Sendable {
    /// Who is asked.
    public var gateway: OrderGateway
    /// The backend's root, or the base of the PSP's API; it ends with a slash.
    public var root: String

    /// A way with these members.
    public init(gateway: OrderGateway, root: String) {
        self.gateway = gateway
        self.root = root
    }
}

/// The two generations of the PSP's checkout, which differ in names and shapes.
///
/// - Note: Source: merchant backend API, role and conventions.
public enum CheckoutGeneration: String, Hashable, Sendable, CaseIterable {
    /// Check-in, `view-paymentorder`, a link for each order that changes its instrument.
    case v2
    /// `Checkout3`, `view-checkout`, one address for every change.
    case v3
}

/// Where a merchant backend takes consumers and orders; absolute, and within the allowed domains.
///
/// - Note: Source: merchant backend API, root discovery.
public struct BackendEndpoints: Hashable, Sendable {
    /// Where a check-in begins; nil for backends without.
    public var consumers: Sealed?
    /// Where orders are created.
    public var orders: Sealed

    /// These endpoints.
    public init(consumers: Sealed?, orders: Sealed) {
        self.consumers = consumers
        self.orders = orders
    }
}
