public import EventLog

/// What is sent to create a payment order.
public struct OrderSubmission: Hashable, Sendable {
    /// The order as JSON text: the object inside `paymentorder`, sealed because it tells of the payer.
    public var document: Sealed
    /// The method that it is locked to, instead of the document's.
    public var instrument: PaymentMethodName?
    /// Who checked in; it is added to the document's payer, whose other members stay.
    public var consumerProfileRef: Sealed?
    /// The merchant's unique reference of this try, instead of the document's.
    public var payeeReference: String?

    /// A submission with these members.
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

/// What can be done with the money of a paid order.
///
/// - Note: Source: payment order API, capture, cancel, reversal.
public enum TransactionKind: String, Hashable, Sendable, CaseIterable {
    /// Takes some of the authorised amount, or all of it.
    case capture
    /// Releases all that was authorised and not captured.
    case cancel
    /// Gives back some of the captured amount, or all of it.
    case reversal
}

/// A capture, cancellation or reversal that was asked for.
public struct TransactionRequest: Hashable, Sendable {
    /// What to do.
    public var kind: TransactionKind
    /// The merchant's unique reference: sent again, it is the same transaction.
    public var payeeReference: String
    /// In minor units; nil for a cancellation, which has none.
    public var amount: Int64?
    /// The tax in it, in minor units.
    public var vatAmount: Int64?
    /// What the payer may read of it; sealed when something in it looks like a secret.
    public var description: OutsideText
    /// A receipt's number, for invoices.
    public var receiptReference: String?
    /// What it is for, as a JSON array, sealed like the order.
    public var orderItems: Sealed?

    /// A request with these members.
    public init(
        kind: TransactionKind,
        payeeReference: String,
        amount: Int64? = nil,
        vatAmount: Int64? = nil,
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
