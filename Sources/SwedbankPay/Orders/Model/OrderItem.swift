/// A line of an order.
///
/// Amounts include VAT and apply to the whole line; the order's amounts are the sums of all lines.
/// A discount is a line with negative amounts.
///
/// - Note: Source: payment order model, orderItems.
public struct OrderItem: Hashable, Sendable {
    /// The kind of item on a line.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// A product.
        case product = "PRODUCT"
        /// A service.
        case service = "SERVICE"
        /// Shipping.
        case shippingFee = "SHIPPING_FEE"
        /// A fee for the payment method.
        case paymentFee = "PAYMENT_FEE"
        /// A discount.
        case discount = "DISCOUNT"
        /// A voucher.
        case valueCode = "VALUE_CODE"
        /// Anything else.
        case other = "OTHER"
    }

    /// The merchant's article number.
    public var reference: String
    /// The item's name.
    public var name: String
    /// The kind of item; `type` on the wire.
    public var kind: Kind
    /// The merchant's category of the item: letters, digits, `_` and `-`; `class` on the wire.
    public var category: String
    /// The address of a page about the item.
    public var itemURL: String?
    /// The address of a picture of the item.
    public var imageURL: String?
    /// A description of the item.
    public var description: String?
    /// A description of the discount.
    public var discountDescription: String?
    /// The quantity.
    public var quantity: Quantity
    /// The unit of the quantity, for example `pcs`.
    public var quantityUnit: String
    /// The price per unit, VAT included, in minor units.
    public var unitPrice: Amount
    /// The discounted price per unit, VAT included, in minor units.
    public var discountPrice: Amount?
    /// The VAT percentage times 100: 2500 is 25 %.
    public var vatPercent: Int64
    /// The amount of the line, VAT included, in minor units.
    public var amount: Amount
    /// The VAT included in ``amount``, in minor units.
    public var vatAmount: Amount
    /// The methods that may be used to pay this line.
    public var restrictedToInstruments: [PaymentMethodName]?
    /// Members that this model does not know; they are kept and sent.
    public var others: [String: FreeFormValue]

    /// Creates a line with these members.
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
        unitPrice: Amount,
        discountPrice: Amount? = nil,
        vatPercent: Int64,
        amount: Amount,
        vatAmount: Amount,
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

/// The totals of an order's lines.
public struct OrderTotals: Hashable, Sendable {
    /// The sum of the amounts, VAT included, in minor units.
    public let amount: Amount
    /// The sum of the VAT, in minor units.
    public let vatAmount: Amount

    /// Adds up lines.
    ///
    /// Returns `nil` when a sum exceeds ``Money/greatest``.
    public init?(of items: some Sequence<OrderItem>) {
        var sums = (amount: Amount.zero, vatAmount: Amount.zero)
        for item in items {
            guard let amount = sums.amount.adding(exactly: item.amount),
                let vatAmount = sums.vatAmount.adding(exactly: item.vatAmount)
            else { return nil }
            sums = (amount, vatAmount)
        }
        (amount, vatAmount) = sums
    }
}
