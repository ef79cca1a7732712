public import EventLog

/// How a payment order stands, in the PSP's word: an open set.
///
/// - Note: Source: payment order API, status model.
public struct OrderStatus: RawRepresentable, Hashable, Sendable {
    /// The word on the wire.
    public let rawValue: String

    /// The status of that name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Created and not over.
    public static let initialized = OrderStatus(rawValue: "Initialized")
    /// The payer paid: authorised, or sold.
    public static let paid = OrderStatus(rawValue: "Paid")
    /// The single try failed; only for payments that the merchant starts.
    public static let failed = OrderStatus(rawValue: "Failed")
    /// The whole authorised amount was released; nothing had been captured.
    public static let cancelled = OrderStatus(rawValue: "Cancelled")
    /// The whole amount was given back.
    public static let reversed = OrderStatus(rawValue: "Reversed")
    /// Given up before it was paid.
    public static let aborted = OrderStatus(rawValue: "Aborted")
}

/// A payment order as the PSP or a merchant backend shows it, with every secret sealed.
///
/// - Note: Source: payment order API, payment order model and sub-resources.
public struct OrderSnapshot: Hashable, Sendable {
    /// The order's path, for example `/psp/paymentorders/…`; it opens nothing by itself.
    public var id: String?
    /// The PSP's number of it.
    public var number: Int64?
    /// How it stands.
    public var status: OrderStatus?
    /// What it is for: `Purchase`, `Verify` and so on.
    public var purpose: String?
    /// ISO 4217.
    public var currency: String?
    /// In minor units, value-added tax included.
    public var amount: Int64?
    /// The tax in it, in minor units.
    public var vatAmount: Int64?
    /// What can still be captured, in minor units.
    public var remainingCapture: Int64?
    /// What can still be released, in minor units.
    public var remainingCancellation: Int64?
    /// What can still be given back, in minor units.
    public var remainingReversal: Int64?
    /// The method that the order is locked to, or was paid with.
    public var instrument: PaymentMethodName?
    /// The methods that it can be changed to.
    public var availableInstruments: [PaymentMethodName]
    /// Whether it is locked to one method.
    public var isInstrumentMode: Bool?
    /// The addresses that it was created with.
    public var urls: OrderURLs
    /// What can be done with it; names as they were sent.
    public var operations: [Operation]
    /// How it was paid.
    public var paid: PaidDetails?
    /// How many attempts failed, when that was asked for.
    public var failedAttempts: Int?
    /// What was done with the money, when that was asked for.
    public var transactions: [FinancialTransaction]?
    /// Why it was given up.
    public var abortReason: OutsideText?
    /// What the single try of a payment failed with that the merchant started, when that was asked for.
    public var failure: ProblemDocument?

    /// An order with these members.
    public init(
        id: String? = nil,
        number: Int64? = nil,
        status: OrderStatus? = nil,
        purpose: String? = nil,
        currency: String? = nil,
        amount: Int64? = nil,
        vatAmount: Int64? = nil,
        remainingCapture: Int64? = nil,
        remainingCancellation: Int64? = nil,
        remainingReversal: Int64? = nil,
        instrument: PaymentMethodName? = nil,
        availableInstruments: [PaymentMethodName] = [],
        isInstrumentMode: Bool? = nil,
        urls: OrderURLs = OrderURLs(),
        operations: [Operation] = [],
        paid: PaidDetails? = nil,
        failedAttempts: Int? = nil,
        transactions: [FinancialTransaction]? = nil,
        abortReason: OutsideText? = nil,
        failure: ProblemDocument? = nil
    ) {
        self.id = id
        self.number = number
        self.status = status
        self.purpose = purpose
        self.currency = currency
        self.amount = amount
        self.vatAmount = vatAmount
        self.remainingCapture = remainingCapture
        self.remainingCancellation = remainingCancellation
        self.remainingReversal = remainingReversal
        self.instrument = instrument
        self.availableInstruments = availableInstruments
        self.isInstrumentMode = isInstrumentMode
        self.urls = urls
        self.operations = operations
        self.paid = paid
        self.failedAttempts = failedAttempts
        self.transactions = transactions
        self.abortReason = abortReason
        self.failure = failure
    }
}

/// How an order was paid.
///
/// - Note: Source: payment order API, `paid`.
public struct PaidDetails: Hashable, Sendable {
    /// The method.
    public var instrument: PaymentMethodName?
    /// The PSP's number of the payment.
    public var number: Int64?
    /// The merchant's reference of the payment.
    public var payeeReference: String?
    /// The merchant's order number.
    public var orderReference: String?
    /// `Authorization`, which has to be captured, or `Sale`.
    public var transactionType: String?
    /// In minor units.
    public var amount: Int64?

    /// Details with these members.
    public init(
        instrument: PaymentMethodName? = nil,
        number: Int64? = nil,
        payeeReference: String? = nil,
        orderReference: String? = nil,
        transactionType: String? = nil,
        amount: Int64? = nil
    ) {
        self.instrument = instrument
        self.number = number
        self.payeeReference = payeeReference
        self.orderReference = orderReference
        self.transactionType = transactionType
        self.amount = amount
    }
}

/// Something that was done with the money of an order.
///
/// - Note: Source: payment order API, `financialTransactions`.
public struct FinancialTransaction: Hashable, Sendable {
    /// `Authorization`, `Sale`, `Capture`, `Cancellation`, `Reversal`: an open set.
    public var type: String
    /// The PSP's number of it.
    public var number: Int64?
    /// The merchant's unique reference of it.
    public var payeeReference: String?
    /// In minor units.
    public var amount: Int64?
    /// The tax in it, in minor units.
    public var vatAmount: Int64?

    /// A transaction with these members.
    public init(
        type: String,
        number: Int64? = nil,
        payeeReference: String? = nil,
        amount: Int64? = nil,
        vatAmount: Int64? = nil
    ) {
        self.type = type
        self.number = number
        self.payeeReference = payeeReference
        self.amount = amount
        self.vatAmount = vatAmount
    }
}
