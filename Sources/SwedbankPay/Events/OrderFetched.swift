public import EventLog

extension EventType {
    /// The order was created, read or changed.
    public static let orderFetched = EventType("orderFetched") { .checkout(.orderFetched($0)) }
}

/// The order was created, read or changed.
public struct OrderFetched: Hashable, Sendable {
    /// The operation that returned the order.
    public var cause: Rel
    /// SHA-256 of the response's canonical form.
    public var digest: Digest256
    /// The duration of a request that only reads; `nil` for requests that have events of their own.
    public var durationMilliseconds: Int64?
    /// The order; `nil` when it is the same as the previous one.
    public var order: OrderSnapshot?
    /// When the order's checkout read it, in the log of a native session that pays the same order.
    public var readAt: Instant?

    /// Creates the data of an `orderFetched` event.
    public init(
        cause: Rel,
        digest: Digest256,
        durationMilliseconds: Int64? = nil,
        order: OrderSnapshot?,
        readAt: Instant? = nil
    ) {
        self.cause = cause
        self.digest = digest
        self.durationMilliseconds = durationMilliseconds
        self.order = order
        self.readAt = readAt
    }
}

extension OrderFetched: ObjectForm {
    package init(_ members: inout some FormPass, _ value: Given<Self>?) throws(EventDecodingError) {
        cause = try members.require("cause", value?.cause)
        digest = try members.require("digest", value?.digest)
        durationMilliseconds = try members.find("durationMilliseconds", value?.durationMilliseconds)
        order = try members.find("order", value?.order)
        readAt = try members.find("readAt", value?.readAt)
    }
}
