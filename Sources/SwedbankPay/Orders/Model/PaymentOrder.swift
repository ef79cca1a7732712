/// What a merchant wants to be paid for: the order that a payment is made for, as it is created.
///
/// Amounts are whole numbers of minor units (10000 is 100.00) and include VAT. A member that is nothing is not
/// sent; ``problems(under:)`` tells what the PSP would refuse, before it is asked.
///
/// - Note: Source: payment order model.
public struct PaymentOrder: Hashable, Sendable {
    /// What is to happen; `operation` on the wire.
    public var purpose: PaymentOrderPurpose
    /// The product that the order is for: ``checkout3`` with version 3.0 of the API, needless with 3.1.
    public var productName: String?
    /// The currency's code by ISO 4217, for example `SEK`.
    public var currency: String
    /// What the payer pays, VAT included, in minor units; nothing or 0 to verify only.
    public var amount: Int64?
    /// The VAT in ``amount``, in minor units.
    public var vatAmount: Int64?
    /// What the payer reads about the order.
    public var description: String
    /// The user agent of who creates the order; who sends the order fills in an absent one.
    public var userAgent: String?
    /// The language of the PSP's pages.
    public var language: Language
    /// The only method to pay with, for an order in instrument mode.
    public var instrument: PaymentMethodName?
    /// Whether paying makes a token for recurring payments.
    public var generatesRecurrenceToken: Bool?
    /// Whether paying makes a token for payments that the merchant starts now and then.
    public var generatesUnscheduledToken: Bool?
    /// Whether paying makes a token that the payer can pay with again.
    public var generatesPaymentToken: Bool?
    /// Whether stored details and the question to store some are hidden.
    public var disablesStoredPaymentDetails: Bool?
    /// Whether the PSP's page asks for the consent to store details, while stored ones are hidden.
    public var enablesPaymentDetailsConsentCheckbox: Bool?
    /// The methods that the payer may choose from; needs an agreement with the PSP.
    public var restrictedToInstruments: [PaymentMethodName]?
    /// Whether the menu opens its first method.
    public var expandsFirstInstrument: Bool?
    /// Whether the menu is left out when there is one method only.
    public var disablesPaymentMenu: Bool?
    /// Where the PSP and the payer's browser go.
    public var urls: PaymentOrderURLs
    /// Who is paid, and the merchant's names for this order.
    public var payeeInfo: PayeeInfo?
    /// Who pays.
    public var payer: Payer?
    /// What is paid for, line by line.
    public var orderItems: [OrderItem]?
    /// What helps the issuer to judge the risk, so that fewer payers are challenged.
    public var riskIndicator: RiskIndicator?
    /// A payment token of the payer: a secret.
    public var paymentToken: String?
    /// The token that a recurring payment charges: a secret.
    public var recurrenceToken: String?
    /// The token that a payment charges which the merchant starts now and then: a secret.
    public var unscheduledToken: String?
    /// The merchant's own data.
    public var metadata: [String: FreeFormValue]?
    /// Members that this model does not know, kept and sent on.
    public var others: [String: FreeFormValue]

    /// The product name of the third generation of the checkout.
    public static let checkout3 = "Checkout3"

    /// An order with these members.
    public init(
        purpose: PaymentOrderPurpose = .purchase,
        productName: String? = nil,
        currency: String,
        amount: Int64?,
        vatAmount: Int64?,
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
    /// The order with the sums of its items as amount and VAT, so that nobody has to add up by hand.
    ///
    /// - Throws: ``PaymentOrderError/invalid(_:)`` when there are no items, or their sum is beyond every number.
    public func totaled() throws(PaymentOrderError) -> PaymentOrder {
        guard let orderItems, !orderItems.isEmpty else {
            throw .invalid([FieldProblem("orderItems", "must hold the items to add up")])
        }
        guard let totals = OrderTotals(of: orderItems) else {
            throw .invalid([
                FieldProblem("orderItems", "must not add up to more than a number holds")
            ])
        }
        var order = self
        order.amount = totals.amount
        order.vatAmount = totals.vatAmount
        return order
    }

    /// The order with the reference of a payer who was checked in, and with all that was known of the payer
    /// before.
    public func identified(by consumerProfileRef: String) -> PaymentOrder {
        var order = self
        var payer = payer ?? Payer()
        payer.consumerProfileRef = consumerProfileRef
        order.payer = payer
        return order
    }
}

extension PaymentOrder: CustomDebugStringConvertible, CustomReflectable {
    /// Nothing of the order, which holds tokens and what is known of the payer.
    public var debugDescription: String { "a payment order" }

    /// Nothing inside.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
