/// An order as the merchant backend stores it.
public struct RegisteredOrder: Hashable, Sendable {
    /// An operation that the PSP offers for an order.
    public struct Link: Hashable, Sendable {
        /// The operation's name, as the PSP spells it.
        public var rel: String
        /// The HTTP method of its requests.
        public var method: String
        /// Its address at the PSP.
        public var href: String

        /// Creates a link with these members.
        public init(rel: String, method: String, href: String) {
            self.rel = rel
            self.method = method
            self.href = href
        }
    }

    /// The order's id at the PSP, which is a path.
    public let id: String
    /// Our own name for the order in links: random, and different from the PSP's.
    public let name: String
    /// The owner, as ``Caller/id``.
    public let owner: String
    /// The reference that we assigned to the order.
    public let payeeReference: String
    /// The operations that the PSP last offered; never shown to callers.
    public var links: [Link]
    /// Whether the order is locked to one payment method at a time.
    public var isInstrumentMode: Bool

    /// Creates an order with these members.
    public init(
        id: String,
        name: String,
        owner: String,
        payeeReference: String,
        links: [Link],
        isInstrumentMode: Bool
    ) {
        self.id = id
        self.name = name
        self.owner = owner
        self.payeeReference = payeeReference
        self.links = links
        self.isInstrumentMode = isInstrumentMode
    }

    /// The first existing link with one of these names.
    func link(_ rels: String...) -> Link? {
        for rel in rels {
            if let link = links.first(where: { $0.rel == rel }) { return link }
        }
        return nil
    }
}

extension RegisteredOrder: CustomStringConvertible, CustomReflectable {
    /// The order's id, without any of its links.
    public var description: String { "order \(id)" }

    /// An empty mirror.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension RegisteredOrder.Link: CustomStringConvertible, CustomReflectable {
    /// The operation's name; never its address.
    public var description: String { rel }

    /// An empty mirror.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// The key of an order.
public enum OrderKey: Hashable, Sendable {
    /// By the order's id at the PSP.
    case id(String)
    /// By our own name for the order.
    case name(String)
    /// By the address of one of its links.
    case href(String)
}

extension OrderKey: CustomStringConvertible, CustomReflectable {
    /// The kind of key, without the link or our own name.
    public var description: String {
        switch self {
        case .id(let id): "the order \(id)"
        case .name: "an order by its name"
        case .href: "an order by a link"
        }
    }

    /// An empty mirror.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// Stores who created each order; implemented by the host application, as durably as its accounts.
public protocol OrderRegister: Sendable {
    /// Stores an order; one with the same id is replaced.
    func keep(_ order: RegisteredOrder) async throws

    /// The order with a key.
    func order(_ key: OrderKey) async throws -> RegisteredOrder?

    /// Whether a callback with this order and number was recorded.
    func hasReceived(_ receipt: CallbackReceipt) async throws -> Bool

    /// Records a callback; recording it again has no effect.
    func record(_ receipt: CallbackReceipt) async throws
}
