public import EventLog

/// The status of a payment order as the PSP names it: an open set.
///
/// - Note: Source: payment order API, status model.
public struct OrderStatus: RawRepresentable, Hashable, Sendable {
    /// The name in JSON.
    public let rawValue: String

    /// Creates the status with that name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Created and not ended.
    public static let initialized = OrderStatus(rawValue: "Initialized")
    /// The payer paid: the amount was authorized or sold.
    public static let paid = OrderStatus(rawValue: "Paid")
    /// The single attempt failed; only for payments that the merchant starts.
    public static let failed = OrderStatus(rawValue: "Failed")
    /// The whole authorized amount was released; nothing had been captured.
    public static let cancelled = OrderStatus(rawValue: "Cancelled")
    /// The whole amount was reversed.
    public static let reversed = OrderStatus(rawValue: "Reversed")
    /// Aborted before it was paid.
    public static let aborted = OrderStatus(rawValue: "Aborted")
}

/// A payment order as the PSP or a merchant backend shows it, with every secret sealed.
///
/// - Note: Source: payment order API, payment order model and sub-resources.
public struct OrderSnapshot: Hashable, Sendable {
    /// The order's path, for example `/psp/paymentorders/…`; it grants no access by itself.
    public var id: String?
    /// The PSP's number for the order.
    public var number: Int64?
    /// The status.
    public var status: OrderStatus?
    /// The purpose: `Purchase`, `Verify` and so on.
    public var purpose: String?
    /// The currency, as an ISO 4217 code.
    public var currency: String?
    /// The amount in minor units, VAT included.
    public var amount: Amount?
    /// The tax included in the amount, in minor units.
    public var vatAmount: Amount?
    /// The amount that can still be captured, in minor units.
    public var remainingCapture: Amount?
    /// The amount that can still be released, in minor units.
    public var remainingCancellation: Amount?
    /// The amount that can still be reversed, in minor units.
    public var remainingReversal: Amount?
    /// The method that the order is locked to, or was paid with.
    public var instrument: PaymentMethodName?
    /// The methods that it can be changed to.
    public var availableInstruments: [PaymentMethodName]
    /// Whether it is locked to one method.
    public var isInstrumentMode: Bool?
    /// The addresses that it was created with.
    public var urls: OrderURLs
    /// The operations that it offers, with their names as received.
    public var operations: [Operation]
    /// How it was paid.
    public var paid: PaidDetails?
    /// The number of failed attempts, if requested.
    public var failedAttempts: Int?
    /// The transactions on the money, if requested.
    public var transactions: [FinancialTransaction]?
    /// The captures, cancellations and reversals that failed, if requested.
    public var failedTransactions: [FailedTransaction]?
    /// Why it was aborted.
    public var abortReason: OutsideText?
    /// The problem that made the single attempt of a merchant-initiated payment fail, if requested.
    public var failure: ProblemDocument?

    /// Creates an order with these members.
    public init(
        id: String? = nil,
        number: Int64? = nil,
        status: OrderStatus? = nil,
        purpose: String? = nil,
        currency: String? = nil,
        amount: Amount? = nil,
        vatAmount: Amount? = nil,
        remainingCapture: Amount? = nil,
        remainingCancellation: Amount? = nil,
        remainingReversal: Amount? = nil,
        instrument: PaymentMethodName? = nil,
        availableInstruments: [PaymentMethodName] = [],
        isInstrumentMode: Bool? = nil,
        urls: OrderURLs = OrderURLs(),
        operations: [Operation] = [],
        paid: PaidDetails? = nil,
        failedAttempts: Int? = nil,
        transactions: [FinancialTransaction]? = nil,
        failedTransactions: [FailedTransaction]? = nil,
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
        self.failedTransactions = failedTransactions
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
    /// The PSP's number for the payment.
    public var number: Int64?
    /// The merchant's reference of the payment.
    public var payeeReference: String?
    /// The merchant's order number.
    public var orderReference: String?
    /// `Authorization`, which must be captured, or `Sale`.
    public var transactionType: String?
    /// The amount in minor units, with the method's fee and discount.
    public var amount: Amount?
    /// The amount that was submitted, before the method's fee and discount, in minor units.
    public var submittedAmount: Amount?
    /// The method's fee, in minor units.
    public var feeAmount: Amount?
    /// The method's discount, in minor units; its sign is not documented.
    public var discountAmount: Amount?

    /// Creates details with these members.
    public init(
        instrument: PaymentMethodName? = nil,
        number: Int64? = nil,
        payeeReference: String? = nil,
        orderReference: String? = nil,
        transactionType: String? = nil,
        amount: Amount? = nil,
        submittedAmount: Amount? = nil,
        feeAmount: Amount? = nil,
        discountAmount: Amount? = nil
    ) {
        self.instrument = instrument
        self.number = number
        self.payeeReference = payeeReference
        self.orderReference = orderReference
        self.transactionType = transactionType
        self.amount = amount
        self.submittedAmount = submittedAmount
        self.feeAmount = feeAmount
        self.discountAmount = discountAmount
    }
}

/// A transaction on the money of an order.
///
/// - Note: Source: payment order API, `financialTransactions`.
public struct FinancialTransaction: Hashable, Sendable {
    /// `Authorization`, `Sale`, `Capture`, `Cancellation`, `Reversal`: an open set.
    public var type: String
    /// The PSP's number for it.
    public var number: Int64?
    /// The merchant's unique reference for it.
    public var payeeReference: String?
    /// The amount in minor units.
    public var amount: Amount?
    /// The tax included in the amount, in minor units.
    public var vatAmount: Amount?

    /// Creates a transaction with these members.
    public init(
        type: String,
        number: Int64? = nil,
        payeeReference: String? = nil,
        amount: Amount? = nil,
        vatAmount: Amount? = nil
    ) {
        self.type = type
        self.number = number
        self.payeeReference = payeeReference
        self.amount = amount
        self.vatAmount = vatAmount
    }
}

/// A capture, cancellation or reversal that failed, perhaps days after the PSP accepted it.
///
/// It names neither an amount nor the merchant's reference.
///
/// - Note: Source: payment order API, `postPurchaseFailedAttempts`.
public struct FailedTransaction: Hashable, Sendable {
    /// `Capture`, `Cancellation`, `Reversal`: an open set.
    public var type: String
    /// The PSP's number for it.
    public var number: Int64?
    /// Why it failed.
    public var problem: ProblemDocument?

    /// Creates a failed transaction with these members.
    public init(
        type: String,
        number: Int64? = nil,
        problem: ProblemDocument? = nil
    ) {
        self.type = type
        self.number = number
        self.problem = problem
    }
}
