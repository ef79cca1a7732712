/// By what rules a payment order is checked.
public struct OrderRules: Hashable, Sendable {
    /// What somebody else fills in before the order reaches the PSP.
    public struct Supplied: OptionSet, Hashable, Sendable {
        /// The bits.
        public let rawValue: Int

        /// What these bits mean.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// The payee and its reference, as merchant backends do.
        public static let payee = Supplied(rawValue: 1)
        /// The user agent, as who sends the order does.
        public static let userAgent = Supplied(rawValue: 2)
    }

    /// What may be missing, because somebody else fills it in.
    public var supplied: Supplied
    /// Whether `http` to this machine is taken.
    public var allowsInsecureLoopback: Bool
    /// The bounds of fields.
    public var limits: OrderLimits

    /// Rules for an order.
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

/// The bounds of the fields of a payment order; each has a default.
///
/// Lengths are counted in UTF-16 code units, by which no PSP counts less than we do.
///
/// - Note: Source: payment order model; payeeReference. Those without a bound there have one of ours.
public struct OrderLimits: Hashable, Sendable {
    /// The length of what the payer reads about the order.
    public var description = 40
    /// The length of the payee's reference.
    public var payeeReference = 30
    /// The length of the merchant's order number.
    public var orderReference = 50
    /// The length of the name of a merchant's part.
    public var subsite = 40
    /// The length of a product category.
    public var productCategory = 50
    /// The length of the street of a pick-up address.
    public var pickUpStreet = 50
    /// The length of every other text.
    public var text = 1_000
    /// The length of an address of the web, in bytes.
    public var urlBytes = 2_048
    /// The greatest amount: beyond it, readers that use floating-point numbers are not exact.
    public var amount: Int64 = 9_007_199_254_740_991
    /// The greatest percentage of VAT, times 100.
    public var vatPercent: Int64 = 10_000
    /// The greatest quantity of an item.
    public var quantity = Quantity(tenThousandths: 10_000 * 1_000_000_000)
    /// How many items an order may have.
    public var orderItems = 1_000
    /// How many elements any other list may have.
    public var elements = 100
    /// How many problems are told.
    public var problems = 100

    /// The defaults, to be changed member by member.
    public init() {}
}
