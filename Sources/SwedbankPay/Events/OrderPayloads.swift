public import EventLog

/// The order was created, read or changed.
public struct OrderFetched: Hashable, Sendable {
    /// The operation whose answer it was.
    public var cause: Rel
    /// SHA-256 of the answer's canonical form.
    public var digest: Digest256
    /// How long a request that only reads took; nothing for requests that have events of their own.
    public var durationMilliseconds: Int64?
    /// The order; nothing when it is the same as the one before.
    public var order: OrderSnapshot?

    /// The content of an `orderFetched` event.
    public init(
        cause: Rel,
        digest: Digest256,
        durationMilliseconds: Int64? = nil,
        order: OrderSnapshot?
    ) {
        self.cause = cause
        self.digest = digest
        self.durationMilliseconds = durationMilliseconds
        self.order = order
    }
}

/// The payer chose another method for an order that is locked to one.
public struct InstrumentChosen: Hashable, Sendable {
    /// The method.
    public var instrument: PaymentMethodName

    /// The content of an `instrumentChosen` event.
    public init(instrument: PaymentMethodName) { self.instrument = instrument }
}

/// A native session of the same order took over.
public struct HandedOver: Hashable, Sendable {
    /// That session.
    public var session: SessionID

    /// The content of a `handedOver` event.
    public init(session: SessionID) { self.session = session }
}

/// A native session ended, or gave the order back.
public struct HandedBack: Hashable, Sendable {
    /// That session.
    public var session: SessionID
    /// How it ended; nothing when the payer only wants the PSP's page again.
    public var outcome: Outcome?

    /// The content of a `handedBack` event.
    public init(session: SessionID, outcome: Outcome?) {
        self.session = session
        self.outcome = outcome
    }
}

/// The order was read and says that it is paid, as it was ordered.
///
/// - Note: Source: payment order API, confirming an order.
public struct OrderConfirmed: Hashable, Sendable {
    /// The order's path.
    public var order: String
    /// The PSP's number of the payment.
    public var number: Int64?
    /// The method that was paid with.
    public var instrument: PaymentMethodName?
    /// ISO 4217.
    public var currency: String?
    /// What was paid, in minor units; 0 means that the payer's details were verified, and nothing was charged.
    public var amount: Int64?
    /// `Authorization`, which has to be captured, or `Sale`.
    public var transactionType: String?

    /// The content of an `orderConfirmed` event.
    public init(
        order: String,
        number: Int64?,
        instrument: PaymentMethodName?,
        currency: String?,
        amount: Int64?,
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

/// A capture, cancellation or reversal came to an end.
public struct TransactionSettled: Hashable, Sendable {
    /// Which one, by its unique reference.
    public var payeeReference: String
    /// How it ended.
    public var result: TransactionResult

    /// The content of a `transactionSettled` event.
    public init(payeeReference: String, result: TransactionResult) {
        self.payeeReference = payeeReference
        self.result = result
    }
}

/// How a capture, cancellation or reversal ended.
public enum TransactionResult: String, Hashable, Sendable, CaseIterable {
    /// The order shows it.
    case done
    /// The PSP took it and does it later; the order will show it.
    case accepted
    /// The PSP refused it, or does not offer it.
    case refused
    /// No answer said what came of it, and the order, read long after its last request left, shows that it was not done.
    case notDone
}
