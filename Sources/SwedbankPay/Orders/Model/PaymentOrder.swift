/// A payment order, as a merchant creates it.
///
/// Amounts are whole numbers of minor units (10000 is 100.00) and include VAT. A member that is
/// `nil` is not sent. ``problems(under:)`` reports what the PSP would refuse before the order is
/// sent.
///
/// - Note: Source: payment order model.
public struct PaymentOrder: Hashable, Sendable {
    /// The purpose of the order; `operation` on the wire.
    public var purpose: PaymentOrderPurpose
    /// The product that the order uses: ``checkout3`` with version 3.0 of the API, unnecessary with
    /// 3.1.
    public var productName: String?
    /// The currency, as an ISO 4217 code, for example `SEK`.
    public var currency: String
    /// The amount to be paid, VAT included, in minor units; `nil` or 0 to verify only.
    public var amount: Amount?
    /// The VAT included in ``amount``, in minor units.
    public var vatAmount: Amount?
    /// The description of the order that the payer reads.
    public var description: String
    /// The user agent of the order's creator; the sender supplies it when it is `nil`.
    public var userAgent: String?
    /// The language of the PSP's pages.
    public var language: Language
    /// The only method to pay with, for an order in instrument mode.
    public var instrument: PaymentMethodName?
    /// Whether the payment creates a token for recurring payments.
    public var generatesRecurrenceToken: Bool?
    /// Whether the payment creates a token for unscheduled payments started by the merchant.
    public var generatesUnscheduledToken: Bool?
    /// Whether the payment creates a token that the payer can pay with again.
    public var generatesPaymentToken: Bool?
    /// Whether stored details, and the option to store some, are hidden.
    public var disablesStoredPaymentDetails: Bool?
    /// Whether the PSP's page asks for consent to store details while stored ones are hidden.
    public var enablesPaymentDetailsConsentCheckbox: Bool?
    /// The methods that the payer may choose from; requires an agreement with the PSP.
    public var restrictedToInstruments: [PaymentMethodName]?
    /// Whether the menu expands its first method.
    public var expandsFirstInstrument: Bool?
    /// Whether the menu is omitted when there is only one method.
    public var disablesPaymentMenu: Bool?
    /// The addresses for the PSP and the payer's browser.
    public var urls: PaymentOrderURLs
    /// The payee, and the merchant's references for this order.
    public var payeeInfo: PayeeInfo?
    /// The payer.
    public var payer: Payer?
    /// The items to be paid for.
    public var orderItems: [OrderItem]?
    /// Information that helps the issuer to assess the risk, so that fewer payers are challenged.
    public var riskIndicator: RiskIndicator?
    /// A payment token of the payer: a secret.
    public var paymentToken: String?
    /// The token that a recurring payment charges: a secret.
    public var recurrenceToken: String?
    /// The token that an unscheduled payment charges: a secret.
    public var unscheduledToken: String?
    /// The merchant's own data.
    public var metadata: [String: FreeFormValue]?
    /// Members that this model does not know; they are kept and sent.
    public var others: [String: FreeFormValue]

    /// The product name of the third generation of the checkout.
    public static let checkout3 = "Checkout3"

    /// Creates an order with these members.
    public init(
        purpose: PaymentOrderPurpose = .purchase,
        productName: String? = nil,
        currency: String,
        amount: Amount?,
        vatAmount: Amount?,
        description: String,
        userAgent: String? = nil,
        language: Language = .enUS,
        instrument: PaymentMethodName? = nil,
        generatesRecurrenceToken: Bool? = false,
        generatesUnscheduledToken: Bool? = nil,
        generatesPaymentToken: Bool? = nil,
        disablesStoredPaymentDetails: Bool? = nil,
        enablesPaymentDetailsConsentCheckbox: Bool? = nil,
        restrictedToInstruments: [PaymentMethodName]? = nil,
        expandsFirstInstrument: Bool? = nil,
        disablesPaymentMenu: Bool? = nil,
        urls: PaymentOrderURLs,
        payeeInfo: PayeeInfo? = PayeeInfo(),
        payer: Payer? = nil,
        orderItems: [OrderItem]? = nil,
        riskIndicator: RiskIndicator? = nil,
        paymentToken: String? = nil,
        recurrenceToken: String? = nil,
        unscheduledToken: String? = nil,
        metadata: [String: FreeFormValue]? = nil,
        others: [String: FreeFormValue] = [:]
    ) {
        self.purpose = purpose
        self.productName = productName
        self.currency = currency
        self.amount = amount
        self.vatAmount = vatAmount
        self.description = description
        self.userAgent = userAgent
        self.language = language
        self.instrument = instrument
        self.generatesRecurrenceToken = generatesRecurrenceToken
        self.generatesUnscheduledToken = generatesUnscheduledToken
        self.generatesPaymentToken = generatesPaymentToken
        self.disablesStoredPaymentDetails = disablesStoredPaymentDetails
        self.enablesPaymentDetailsConsentCheckbox = enablesPaymentDetailsConsentCheckbox
        self.restrictedToInstruments = restrictedToInstruments
        self.expandsFirstInstrument = expandsFirstInstrument
        self.disablesPaymentMenu = disablesPaymentMenu
        self.urls = urls
        self.payeeInfo = payeeInfo
        self.payer = payer
        self.orderItems = orderItems
        self.riskIndicator = riskIndicator
        self.paymentToken = paymentToken
        self.recurrenceToken = recurrenceToken
        self.unscheduledToken = unscheduledToken
        self.metadata = metadata
        self.others = others
    }
}

extension PaymentOrder {
    /// The order with the totals of its items as amount and VAT.
    ///
    /// - Throws: ``PaymentOrderError/invalid(_:)`` when there are no items or their sum exceeds the
    ///   range of the number.
    public func totaled() throws(PaymentOrderError) -> PaymentOrder {
        guard let orderItems, !orderItems.isEmpty else {
            throw .invalid([FieldProblem("orderItems", "must contain the items to add up")])
        }
        guard let totals = OrderTotals(of: orderItems) else {
            throw .invalid([
                FieldProblem("orderItems", "must not add up to more than 2^53 - 1")
            ])
        }
        var order = self
        order.amount = totals.amount
        order.vatAmount = totals.vatAmount
        return order
    }

    /// The order with the reference of a payer who was checked in, in addition to everything
    /// already known about the payer.
    public func identified(by consumerProfileRef: String) -> PaymentOrder {
        var order = self
        var payer = payer ?? Payer()
        payer.consumerProfileRef = consumerProfileRef
        order.payer = payer
        return order
    }
}

extension PaymentOrder: CustomDebugStringConvertible, CustomReflectable {
    /// A constant text without the order, which holds tokens and personal data.
    public var debugDescription: String { "a payment order" }

    /// An empty mirror.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
