public import EventLog

/// The content of a request that creates a payment order.
public struct OrderSubmission: Hashable, Sendable {
    /// The order as JSON text: the object inside `paymentorder`, sealed because it contains data
    /// about the payer.
    public var document: Sealed
    /// The method that it is locked to, instead of the document's.
    public var instrument: PaymentMethodName?
    /// The reference of the payer who checked in; it is added to the document's payer, whose other
    /// members are kept.
    public var consumerProfileRef: Sealed?
    /// The merchant's unique reference for this try, instead of the document's.
    public var payeeReference: String?

    /// Creates a submission with these members.
    public init(
        document: Sealed,
        instrument: PaymentMethodName? = nil,
        consumerProfileRef: Sealed? = nil,
        payeeReference: String? = nil
    ) {
        self.document = document
        self.instrument = instrument
        self.consumerProfileRef = consumerProfileRef
        self.payeeReference = payeeReference
    }
}

/// A transaction on the money of a paid order.
///
/// - Note: Source: payment order API, capture, cancel, reversal.
public enum TransactionKind: String, Hashable, Sendable, CaseIterable {
    /// Takes all or part of the authorized amount.
    case capture
    /// Releases everything that was authorized and not captured.
    case cancel
    /// Pays back all or part of the captured amount.
    case reversal
}

/// A requested capture, cancellation or reversal.
public struct TransactionRequest: Hashable, Sendable {
    /// The kind of transaction.
    public var kind: TransactionKind
    /// The merchant's unique reference; a request with the same reference is the same transaction.
    public var payeeReference: String
    /// The amount in minor units; `nil` for a cancellation, which has none.
    public var amount: Amount?
    /// The tax included in the amount, in minor units.
    public var vatAmount: Amount?
    /// The description for the payer; sealed when it contains anything that looks like a secret.
    public var description: OutsideText
    /// A receipt number, for invoices.
    public var receiptReference: String?
    /// The items that it covers, as a JSON array, sealed like the order.
    public var orderItems: Sealed?

    /// Creates a request with these members.
    public init(
        kind: TransactionKind,
        payeeReference: String,
        amount: Amount? = nil,
        vatAmount: Amount? = nil,
        description: OutsideText,
        receiptReference: String? = nil,
        orderItems: Sealed? = nil
    ) {
        self.kind = kind
        self.payeeReference = payeeReference
        self.amount = amount
        self.vatAmount = vatAmount
        self.description = description
        self.receiptReference = receiptReference
        self.orderItems = orderItems
    }
}
