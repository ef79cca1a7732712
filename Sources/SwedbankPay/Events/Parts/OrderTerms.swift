package import EventLog

/// The terms of an order that the rules need before it exists.
public struct OrderTerms: Hashable, Sendable {
    /// The purpose: `Purchase`, `Verify`.
    public var purpose: String
    /// The currency, as an ISO 4217 code.
    public var currency: String?
    /// The amount in minor units; `nil` when there is no charge.
    public var amount: Amount?
    /// The payer's language.
    public var language: String?
    /// The method that the order is locked to from the beginning.
    public var instrument: PaymentMethodName?
    /// The merchant's order number, which the PSP repeats once the order is paid; `nil` when there
    /// is none, or when it has characters that the PSP does not repeat in the clear.
    public var orderReference: String?
    /// The order's addresses.
    public var urls: OrderURLs

    /// Creates terms with these members.
    public init(
        purpose: String = "Purchase",
        currency: String? = nil,
        amount: Amount? = nil,
        language: String? = nil,
        instrument: PaymentMethodName? = nil,
        orderReference: String? = nil,
        urls: OrderURLs = OrderURLs()
    ) {
        self.purpose = purpose
        self.currency = currency
        self.amount = amount
        self.language = language
        self.instrument = instrument
        self.orderReference = orderReference
        self.urls = urls
    }
}

extension OrderTerms: ObjectForm {
    package init(_ members: inout some FormPass, _ value: Given<Self>?) throws(EventDecodingError) {
        amount = try members.find("amount", value?.amount)
        currency = try members.find("currency", value?.currency)
        instrument = try members.find("instrument", value?.instrument)
        language = try members.find("language", value?.language)
        orderReference = try members.find("orderReference", value?.orderReference)
        purpose = try members.require("purpose", value?.purpose)
        urls = try members.require("urls", value?.urls)
    }
}

/// The parameters of a check-in.
///
/// - Note: Source: merchant backend API, consumers.
public struct ConsumerTerms: Hashable, Sendable {
    /// The language of the check-in.
    public var language: String
    /// The countries that goods can be shipped to, as ISO 3166 codes.
    public var shippingCountries: [String]

    /// Creates terms with these members.
    public init(language: String, shippingCountries: [String]) {
        self.language = language
        self.shippingCountries = shippingCountries
    }
}

extension ConsumerTerms: ObjectForm {
    package init(_ members: inout some FormPass, _ value: Given<Self>?) throws(EventDecodingError) {
        language = try members.require("language", value?.language)
        shippingCountries = try members.find(
            "shippingCountries",
            value?.shippingCountries,
            else: []
        )
    }
}
