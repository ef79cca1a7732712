/// The rules by which a payment order is checked.
public struct OrderRules: Hashable, Sendable {
    /// The fields that another party supplies before the order reaches the PSP.
    public struct Supplied: OptionSet, Hashable, Sendable {
        /// The bits.
        public let rawValue: Int

        /// Creates a set with these bits.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// The payee and its reference, which merchant backends supply.
        public static let payee = Supplied(rawValue: 1)
        /// The user agent, which the sender of the order supplies.
        public static let userAgent = Supplied(rawValue: 2)
    }

    /// The fields that may be missing because another party supplies them.
    public var supplied: Supplied
    /// Whether `http` to this machine is accepted.
    public var allowsInsecureLoopback: Bool
    /// The limits of fields.
    public var limits: OrderLimits

    /// Creates rules.
    public init(
        supplied: Supplied = [],
        allowsInsecureLoopback: Bool = false,
        limits: OrderLimits = OrderLimits()
    ) {
        self.supplied = supplied
        self.allowsInsecureLoopback = allowsInsecureLoopback
        self.limits = limits
    }
}

/// The limits of the fields of a payment order; each has a default.
///
/// Lengths are counted in UTF-16 code units; no PSP arrives at a smaller count.
///
/// - Note: Source: payment order model; payeeReference. Fields without a limit there have one of
///   ours.
public struct OrderLimits: Hashable, Sendable {
    /// The maximum length of an order's or transaction's description for the payer.
    public var description = 40
    /// The maximum length of the payee's reference.
    public var payeeReference = 30
    /// The maximum length of a receipt's number.
    public var receiptReference = 30
    /// The maximum length of the merchant's order number.
    public var orderReference = 50
    /// The maximum length of a subsite's name.
    public var subsite = 40
    /// The maximum length of a product category.
    public var productCategory = 50
    /// The maximum length of the street of a pick-up address.
    public var pickUpStreet = 50
    /// The maximum length of every other text.
    public var text = 1_000
    /// The maximum length of a web address, in bytes.
    public var urlBytes = 2_048
    /// The maximum amount, beyond which readers that use floating-point numbers are not exact.
    public var amount: Amount = 9_007_199_254_740_991
    /// The maximum percentage of VAT, times 100.
    public var vatPercent: Int64 = 10_000
    /// The maximum quantity of an item.
    public var quantity = Quantity(tenThousandths: 10_000 * 1_000_000_000)
    /// The maximum number of items in an order.
    public var orderItems = 1_000
    /// The maximum number of elements in any other list.
    public var elements = 100
    /// The maximum number of problems reported.
    public var problems = 100

    /// Creates limits with the default values.
    public init() {}
}
