/// What the merchant backend remembers of an order.
public struct RegisteredOrder: Hashable, Sendable {
    /// What the PSP lets us do with an order.
    public struct Link: Hashable, Sendable {
        /// The operation's name, as the PSP spells it.
        public var rel: String
        /// The method to call it with.
        public var method: String
        /// Its address at the PSP.
        public var href: String

        /// A link with these members.
        public init(rel: String, method: String, href: String) {
            self.rel = rel
            self.method = method
            self.href = href
        }
    }

    /// The order's id at the PSP, a path.
    public let id: String
    /// Our own name for the order in links: random, and not the PSP's.
    public let name: String
    /// Whose it is, as ``Caller/id``.
    public let owner: String
    /// The reference that we gave the order.
    public let payeeReference: String
    /// What can be done with it, as the PSP said last; never shown to callers.
    public var links: [Link]
    /// Whether the order is locked to one method of payment at a time.
    public var isInstrumentMode: Bool

    /// An order with these members.
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

    /// The link of the first of these names that there is.
    func link(_ rels: String...) -> Link? {
        for rel in rels {
            if let link = links.first(where: { $0.rel == rel }) { return link }
        }
        return nil
    }
}

extension RegisteredOrder: CustomStringConvertible, CustomReflectable {
    /// The order's id, and nothing that leads to it.
    public var description: String { "order \(id)" }

    /// Nothing inside.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension RegisteredOrder.Link: CustomStringConvertible, CustomReflectable {
    /// The operation's name; never its address.
    public var description: String { rel }

    /// Nothing inside.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// How an order is looked up.
public enum OrderKey: Hashable, Sendable {
    /// By its id at the PSP.
    case id(String)
    /// By our own name for it.
    case name(String)
    /// By the address of one of its links.
    case href(String)
}

extension OrderKey: CustomStringConvertible, CustomReflectable {
    /// What kind of key it is; of a link and of our own name never more.
    public var description: String {
        switch self {
        case .id(let id): "the order \(id)"
        case .name: "an order by its name"
        case .href: "an order by a link"
        }
    }

    /// Nothing inside.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// Remembers who created which order: the host's part, as durable as its accounts.
public protocol OrderRegister: Sendable {
    /// Remembers an order; one with the same id is replaced.
    func keep(_ order: RegisteredOrder) async throws

    /// The order under a key.
    func order(_ key: OrderKey) async throws -> RegisteredOrder?

    /// Whether a callback with this order and number was recorded.
    func hasReceived(_ receipt: CallbackReceipt) async throws -> Bool

    /// Records a callback; recording it again changes nothing.
    func record(_ receipt: CallbackReceipt) async throws
}
