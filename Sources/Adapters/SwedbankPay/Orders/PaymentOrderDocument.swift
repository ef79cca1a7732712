public import SwedbankPay

/// The JSON form of payment orders, of their items and of consumers.
///
/// What is read and written again says the same: members that the model does not know are kept, explicit
/// `null`s are left out, and `initiatingSystemUserAgent`, which only answers hold, never gets into a request.
///
/// - Note: Source: payment order model.
public enum PaymentOrderDocument {
    /// The bounds within which a document is read; each has a default.
    public struct Limits: Hashable, Sendable {
        /// How many bytes a document may have.
        public var bytes = 1 << 20
        /// How deep lists and objects may be nested.
        public var depth = 32
        /// How many problems are told.
        public var problems = 100

        /// The defaults, to be changed member by member.
        public init() {}
    }

    /// Reads an order: `{"paymentorder":{…}}`, `{"paymentOrder":{…}}` or the inner object alone.
    ///
    /// Only the form is judged; ``PaymentOrder/problems(under:)`` judges the order.
    ///
    /// - Parameters:
    ///   - bytes: The document.
    ///   - purpose: What the order is for, instead of what the document says.
    ///   - limits: The bounds.
    /// - Throws: ``PaymentOrderError`` that names every field that is missing or has a wrong type.
    public static func read(
        _ bytes: [UInt8],
        for purpose: PaymentOrderPurpose? = nil,
        limits: Limits = Limits()
    ) throws(PaymentOrderError) -> PaymentOrder {
        guard case .object(var members) = try parse(bytes, limits) else {
            throw .unreadable(reason: "it is no JSON object")
        }
        for name in ["paymentorder", "paymentOrder"] {
            guard let inner = members[name] else { continue }
            guard case .object(let order) = inner else {
                throw .unreadable(reason: "\(name) is no JSON object")
            }
            members = order
            break
        }
        members["initiatingSystemUserAgent"] = nil
        if let purpose { members["operation"] = .string(purpose.rawValue) }
        var reader = OrderMemberReader(members, path: "", limit: limits.problems)
        let order = PaymentOrder(reading: &reader)
        guard reader.problems.isEmpty else { throw .invalid(reader.problems) }
        return order
    }

    /// Reads an order from a text.
    ///
    /// - Throws: ``PaymentOrderError`` that names every field that is missing or has a wrong type.
    public static func read(
        _ text: String,
        limits: Limits = Limits()
    ) throws(PaymentOrderError) -> PaymentOrder {
        try read(Array(text.utf8), limits: limits)
    }

    /// Reads a list of items, for example those of a capture: `[…]` or `{"orderItems":[…]}`.
    ///
    /// - Throws: ``PaymentOrderError`` that names every field that is missing or has a wrong type.
    public static func readItems(
        _ bytes: [UInt8],
        limits: Limits = Limits()
    ) throws(PaymentOrderError) -> [OrderItem] {
        let parsed = try parse(bytes, limits)
        let list = parsed.object.flatMap { $0["orderItems"] } ?? parsed
        guard case .array = list else {
            throw .unreadable(reason: "it is no list of order items")
        }
        var reader = OrderMemberReader(["orderItems": list], path: "", limit: limits.problems)
        let items = reader.objects("orderItems") { OrderItem(reading: &$0) }
        guard reader.problems.isEmpty else { throw .invalid(reader.problems) }
        return items ?? []
    }

    /// Reads what a check-in is begun with.
    ///
    /// - Throws: ``PaymentOrderError`` that names every field that is missing or has a wrong type.
    public static func readConsumer(
        _ bytes: [UInt8],
        limits: Limits = Limits()
    ) throws(PaymentOrderError) -> Consumer {
        guard case .object(let members) = try parse(bytes, limits) else {
            throw .unreadable(reason: "it is no JSON object")
        }
        var reader = OrderMemberReader(members, path: "", limit: limits.problems)
        let consumer = Consumer(reading: &reader)
        guard reader.problems.isEmpty else { throw .invalid(reader.problems) }
        return consumer
    }

    /// The inner object of an order, without blanks, members in the order of their names.
    public static func text(of order: PaymentOrder) -> String { order.json.text }

    /// The body of the request that creates an order: the inner object as `paymentorder`.
    public static func body(of order: PaymentOrder) -> String {
        ProviderJSON.object(["paymentorder": order.json]).text
    }

    /// A list of items, without blanks, members in the order of their names.
    public static func text(of items: [OrderItem]) -> String {
        ProviderJSON.array(items.map(\.json)).text
    }

    /// What a check-in is begun with, without blanks, members in the order of their names.
    public static func text(of consumer: Consumer) -> String { consumer.json.text }

    private static func parse(
        _ bytes: [UInt8],
        _ limits: Limits
    ) throws(PaymentOrderError) -> ProviderJSON {
        guard bytes.count <= limits.bytes else {
            throw .unreadable(reason: "it has more than \(limits.bytes) bytes")
        }
        do throws(SnapshotRefusal) {
            return try ProviderJSON(parsing: bytes, maximumDepth: limits.depth)
        } catch {
            switch error {
            case .tooDeep:
                throw .unreadable(reason: "it is nested more than \(limits.depth) levels deep")
            case .notJSON, .noPaymentSession, .tooMany:
                throw .unreadable(reason: "it is no JSON text")
            }
        }
    }
}
