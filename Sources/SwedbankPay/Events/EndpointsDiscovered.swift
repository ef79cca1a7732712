package import EventLog

extension EventType {
    /// The merchant backend's root document was read.
    public static let endpointsDiscovered = EventType("endpointsDiscovered") {
        .checkout(.endpointsDiscovered($0))
    }
}

/// The merchant backend's root document was read.
public struct EndpointsDiscovered: Hashable, Sendable {
    /// The addresses in the document.
    public var endpoints: BackendEndpoints

    /// Creates the data of an `endpointsDiscovered` event.
    public init(endpoints: BackendEndpoints) { self.endpoints = endpoints }
}

extension EndpointsDiscovered: ObjectForm {
    package init(_ members: inout some FormPass, _ value: Given<Self>?) throws(EventDecodingError) {
        let consumers = try members.find("consumers", value?.endpoints.consumers)
        let orders = try members.require("orders", value?.endpoints.orders)
        endpoints = BackendEndpoints(consumers: consumers, orders: orders)
    }
}
