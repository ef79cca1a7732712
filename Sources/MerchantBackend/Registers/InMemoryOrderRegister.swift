/// Stores orders for as long as the process runs: for sandboxes and tests.
public actor InMemoryOrderRegister: OrderRegister {
    private struct ReceiptKey: Hashable {
        var orderID: String
        var number: Int64?
    }

    private var orders: [String: RegisteredOrder] = [:]
    private var ids: [OrderKey: String] = [:]
    private var receipts: [ReceiptKey: CallbackReceipt] = [:]

    /// Creates an empty register.
    public init() {}

    /// Stores an order.
    public func keep(_ order: RegisteredOrder) {
        if let earlier = orders[order.id] {
            for link in earlier.links { ids[.href(link.href)] = nil }
        }
        orders[order.id] = order
        ids[.name(order.name)] = order.id
        for link in order.links { ids[.href(link.href)] = order.id }
    }

    /// The order with a key.
    public func order(_ key: OrderKey) -> RegisteredOrder? {
        switch key {
        case .id(let id): orders[id]
        case .name, .href: ids[key].flatMap { orders[$0] }
        }
    }

    /// Whether a callback was recorded.
    public func hasReceived(_ receipt: CallbackReceipt) -> Bool {
        receipts[ReceiptKey(orderID: receipt.orderID, number: receipt.number)] != nil
    }

    /// Records a callback.
    public func record(_ receipt: CallbackReceipt) {
        let key = ReceiptKey(orderID: receipt.orderID, number: receipt.number)
        if receipts[key] == nil { receipts[key] = receipt }
    }

    /// All recorded callbacks, by order and number.
    public var recorded: [CallbackReceipt] {
        receipts.values.sorted { ($0.orderID, $0.number ?? 0) < ($1.orderID, $1.number ?? 0) }
    }
}
