/// A line of an order.
///
/// Amounts include VAT and are those of the whole line; the sums of all lines are the order's amounts. A
/// discount is a line with negative amounts.
///
/// - Note: Source: payment order model, orderItems.
public struct OrderItem: Hashable, Sendable {
    /// What kind of thing a line is about.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// A thing.
        case product = "PRODUCT"
        /// A service.
        case service = "SERVICE"
        /// Shipping.
        case shippingFee = "SHIPPING_FEE"
        /// A fee for the way of paying.
        case paymentFee = "PAYMENT_FEE"
        /// A discount.
        case discount = "DISCOUNT"
        /// A voucher.
        case valueCode = "VALUE_CODE"
        /// Anything else.
        case other = "OTHER"
    }

    /// The merchant's number of the thing.
    public var reference: String
    /// The thing's name.
    public var name: String
    /// What kind of thing it is; `type` on the wire.
    public var kind: Kind
    /// The merchant's class of things: letters, digits, `_` and `-`; `class` on the wire.
    public var category: String
    /// A page about the thing.
    public var itemURL: String?
    /// A picture of the thing.
    public var imageURL: String?
    /// More about the thing.
    public var description: String?
    /// More about the discount.
    public var discountDescription: String?
    /// How many or how much.
    public var quantity: Quantity
    /// What is counted, for example `pcs`.
    public var quantityUnit: String
    /// The price of one, VAT included, in minor units.
    public var unitPrice: Int64
    /// The price of one with its discount, VAT included, in minor units.
    public var discountPrice: Int64?
    /// The VAT's percentage times 100: 2500 is 25 %.
    public var vatPercent: Int64
    /// What the line costs, VAT included, in minor units.
    public var amount: Int64
    /// The VAT in ``amount``, in minor units.
    public var vatAmount: Int64
    /// The methods that this line may be paid with.
    public var restrictedToInstruments: [PaymentMethodName]?
    /// Members that this model does not know, kept and sent on.
    public var others: [String: FreeFormValue]

    /// A line with these members.
    public init(
        reference: String,
        name: String,
        kind: Kind = .product,
        category: String,
        itemURL: String? = nil,
        imageURL: String? = nil,
        description: String? = nil,
        discountDescription: String? = nil,
        quantity: Quantity = 1,
        quantityUnit: String = "pcs",
        unitPrice: Int64,
        discountPrice: Int64? = nil,
        vatPercent: Int64,
        amount: Int64,
        vatAmount: Int64,
        restrictedToInstruments: [PaymentMethodName]? = nil,
        others: [String: FreeFormValue] = [:]
    ) {
        self.reference = reference
        self.name = name
        self.kind = kind
        self.category = category
        self.itemURL = itemURL
        self.imageURL = imageURL
        self.description = description
        self.discountDescription = discountDescription
        self.quantity = quantity
        self.quantityUnit = quantityUnit
        self.unitPrice = unitPrice
        self.discountPrice = discountPrice
        self.vatPercent = vatPercent
        self.amount = amount
        self.vatAmount = vatAmount
        self.restrictedToInstruments = restrictedToInstruments
        self.others = others
    }
}

/// What the lines of an order add up to.
public struct OrderTotals: Hashable, Sendable {
    /// The sum of the amounts, VAT included, in minor units.
    public let amount: Int64
    /// The sum of the VAT, in minor units.
    public let vatAmount: Int64

    /// Adds up lines.
    ///
    /// - Returns: Nil when a sum is beyond what a number holds.
    public init?(of items: some Sequence<OrderItem>) {
        var sums = (amount: Int64(0), vatAmount: Int64(0))
        for item in items {
            let amount = sums.amount.addingReportingOverflow(item.amount)
            let vatAmount = sums.vatAmount.addingReportingOverflow(item.vatAmount)
            guard !amount.overflow, !vatAmount.overflow else { return nil }
            sums = (amount.partialValue, vatAmount.partialValue)
        }
        (amount, vatAmount) = sums
    }
}
