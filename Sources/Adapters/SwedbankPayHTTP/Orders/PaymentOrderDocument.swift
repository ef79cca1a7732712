internal import EventLog
public import SwedbankPay

/// Reads and writes the JSON form of payment orders, of their items and of consumers.
///
/// A document that is read and written again has the same meaning: members that the model does not
/// know are kept, explicit `null`s are omitted, and `initiatingSystemUserAgent`, which only
/// responses contain, never becomes part of a request.
///
/// - Note: Source: payment order model.
public enum PaymentOrderDocument {
    /// The limits for parsing a document; each has a default.
    public struct Limits: Hashable, Sendable {
        /// The maximum size of a document in bytes.
        public var bytes = 1 << 20
        /// The maximum nesting depth of lists and objects.
        public var depth = 32
        /// The maximum number of problems to report.
        public var problems = 100

        /// Creates limits with the defaults; change single members as needed.
        public init() {}
    }

    /// Reads an order: `{"paymentorder":{…}}`, `{"paymentOrder":{…}}` or the inner object alone.
    ///
    /// Only the form is checked; ``PaymentOrder/problems(under:)`` validates the order.
    ///
    /// - Parameters:
    ///   - bytes: The document.
    ///   - purpose: The order's operation, instead of the one in the document.
    ///   - limits: The limits.
    /// - Returns: The order.
    /// - Throws: ``PaymentOrderError``, which names every field that is missing or has a wrong
    ///   type.
    public static func read(
        _ bytes: [UInt8],
        for purpose: PaymentOrderPurpose? = nil,
        limits: Limits = Limits()
    ) throws(PaymentOrderError) -> PaymentOrder {
        guard case .object(var members) = try parse(bytes, limits) else {
            throw .unreadable(reason: "it is not a JSON object")
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
    /// - Throws: ``PaymentOrderError``, which names every field that is missing or has a wrong
    ///   type.
    public static func read(
        _ text: String,
        limits: Limits = Limits()
    ) throws(PaymentOrderError) -> PaymentOrder {
        try read(Array(text.utf8), limits: limits)
    }

    /// Reads a list of items, for example those of a capture: `[…]` or `{"orderItems":[…]}`.
    ///
    /// - Throws: ``PaymentOrderError``, which names every field that is missing or has a wrong
    ///   type.
    public static func readItems(
        _ bytes: [UInt8],
        limits: Limits = Limits()
    ) throws(PaymentOrderError) -> [OrderItem] {
        let parsed = try parse(bytes, limits)
        let list = parsed.object.flatMap { $0["orderItems"] } ?? parsed
        guard case .array = list else {
            throw .unreadable(reason: "it is not a list of order items")
        }
        var reader = OrderMemberReader(["orderItems": list], path: "", limit: limits.problems)
        let items = reader.objects("orderItems") { OrderItem(reading: &$0) }
        guard reader.problems.isEmpty else { throw .invalid(reader.problems) }
        return items ?? []
    }

    /// Reads the terms with which a check-in is started.
    ///
    /// - Throws: ``PaymentOrderError``, which names every field that is missing or has a wrong
    ///   type.
    public static func readConsumer(
        _ bytes: [UInt8],
        limits: Limits = Limits()
    ) throws(PaymentOrderError) -> Consumer {
        guard case .object(let members) = try parse(bytes, limits) else {
            throw .unreadable(reason: "it is not a JSON object")
        }
        var reader = OrderMemberReader(members, path: "", limit: limits.problems)
        let consumer = Consumer(reading: &reader)
        guard reader.problems.isEmpty else { throw .invalid(reader.problems) }
        return consumer
    }

    /// The inner object of an order, without whitespace, members sorted by name.
    public static func text(of order: PaymentOrder) -> String { order.json.text }

    /// The body of the request that creates an order: the inner object as `paymentorder`.
    public static func body(of order: PaymentOrder) -> String {
        ForeignJSON.object(["paymentorder": order.json]).text
    }

    /// A list of items, without whitespace, members sorted by name.
    public static func text(of items: [OrderItem]) -> String {
        ForeignJSON.array(items.map(\.json)).text
    }

    /// The terms of a check-in, without whitespace, members sorted by name.
    public static func text(of consumer: Consumer) -> String { consumer.json.text }

    private static func parse(
        _ bytes: [UInt8],
        _ limits: Limits
    ) throws(PaymentOrderError) -> ForeignJSON {
        guard bytes.count <= limits.bytes else {
            throw .unreadable(reason: "it has more than \(limits.bytes) bytes")
        }
        do throws(EventDecodingError) {
            return try ForeignJSON(parsing: bytes, maximumDepth: limits.depth)
        } catch .limit {
            throw .unreadable(reason: "it is nested more than \(limits.depth) levels deep")
        } catch {
            throw .unreadable(reason: "it is not JSON")
        }
    }
}
