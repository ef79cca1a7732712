package import EventLog

extension EventType {
    /// The order was read and is paid as ordered.
    public static let orderConfirmed = EventType("orderConfirmed") {
        .checkout(.orderConfirmed($0))
    }
}

/// The order was read and is paid as ordered.
///
/// - Note: Source: payment order API, confirming an order.
public struct OrderConfirmed: Hashable, Sendable {
    /// The order's path.
    public var order: String
    /// The PSP's number for the payment.
    public var number: Int64?
    /// The method that was used to pay.
    public var instrument: PaymentMethodName?
    /// The currency, as an ISO 4217 code.
    public var currency: String?
    /// The amount paid, in minor units; 0 means that the payer's details were verified without a
    /// charge.
    public var amount: Amount?
    /// `Authorization`, which must be captured, or `Sale`.
    public var transactionType: String?

    /// Creates the data of an `orderConfirmed` event.
    public init(
        order: String,
        number: Int64?,
        instrument: PaymentMethodName?,
        currency: String?,
        amount: Amount?,
        transactionType: String?
    ) {
        self.order = order
        self.number = number
        self.instrument = instrument
        self.currency = currency
        self.amount = amount
        self.transactionType = transactionType
    }
}

extension OrderConfirmed: ObjectForm {
    package init(_ members: inout some FormPass, _ value: Given<Self>?) throws(EventDecodingError) {
        amount = try members.find("amount", value?.amount)
        currency = try members.find("currency", value?.currency)
        instrument = try members.find("instrument", value?.instrument)
        number = try members.find("number", value?.number)
        order = try members.require("order", value?.order)
        transactionType = try members.find("transactionType", value?.transactionType)
    }
}
