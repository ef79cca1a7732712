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
    /// Whether it was requested although the PSP had refused the ones before it.
    public var again: Bool

    /// Creates a request with these members.
    public init(
        kind: TransactionKind,
        payeeReference: String,
        amount: Amount? = nil,
        vatAmount: Amount? = nil,
        description: OutsideText,
        receiptReference: String? = nil,
        orderItems: Sealed? = nil,
        again: Bool = false
    ) {
        self.kind = kind
        self.payeeReference = payeeReference
        self.amount = amount
        self.vatAmount = vatAmount
        self.description = description
        self.receiptReference = receiptReference
        self.orderItems = orderItems
        self.again = again
    }

    /// Whether both ask for the same transaction.
    func isSame(as other: TransactionRequest) -> Bool {
        var other = other
        other.again = again
        return self == other
    }
}

extension TransactionKind {
    /// The number of failures in a row after which the PSP accepts no more of them until its
    /// support unlocks them.
    ///
    /// - Note: Source: payment order API, capture, reversal.
    static let lock = 5

    /// The kind in the plural.
    private var plural: String {
        switch self {
        case .capture: "captures"
        case .cancel: "cancellations"
        case .reversal: "refunds"
        }
    }

    /// What refusals in a row lead to.
    ///
    /// - Parameter count: Their number, at least 1.
    /// - Returns: The words of a sentence.
    package func warning(after count: Int) -> String {
        let last =
            count == 1
            ? "the PSP refused the last of the order's \(plural)"
            : "the PSP refused the order's last \(count) \(plural)"
        return last
            + (count < Self.lock
                ? ", and locks them after \(Self.lock) failures in a row"
                : "; it has probably locked them, and only its support can unlock them")
    }
}
