internal import EventLog
public import SwedbankPay

/// A payment order as a response describes it.
///
/// It holds addresses that give access to the payment and may hold tokens that can charge the
/// payer: keep it within the service that requested it. Members that this build does not know are
/// ignored, and absent members are `nil`.
///
/// - Note: Source: payment order API, payment order model, status model and sub-resources.
public struct OrderResponse: Hashable, Sendable {
    /// The order's path, for example `/psp/paymentorders/…`.
    public var id: String?
    /// The PSP's number of the order.
    public var number: Int64?
    /// The order's status; in the earlier generation its `state`.
    public var status: OrderStatus?
    /// The operation: `Purchase`, `Verify` and so on.
    public var purpose: String?
    /// The currency (ISO 4217).
    public var currency: String?
    /// The amount in minor units, including value-added tax.
    public var amount: Amount?
    /// The value-added tax in it, in minor units.
    public var vatAmount: Amount?
    /// The amount that can still be captured, in minor units.
    public var remainingCapture: Amount?
    /// The amount that can still be canceled, in minor units.
    public var remainingCancellation: Amount?
    /// The amount that can still be reversed, in minor units.
    public var remainingReversal: Amount?
    /// The method that the order is locked to, or was paid with.
    public var instrument: PaymentMethodName?
    /// The methods that the order can be changed to.
    public var availableInstruments: [PaymentMethodName] = []
    /// Whether the order is locked to one method.
    public var isInstrumentMode: Bool?
    /// The addresses with which the order was created.
    public var urls = PlaintextOrderURLs()
    /// The operations, named as received; a merchant backend's own link to change the instrument is
    /// ``Workflow/Rel/backendInstrument``.
    public var operations: [OrderOperation] = []
    /// How the order was paid.
    public var paid: OrderPayment?
    /// The failed attempts; `nil` when they were not requested.
    public var failedAttempts: [FailedAttempt]?
    /// The financial transactions; `nil` when they were not requested.
    public var transactions: [FinancialTransaction]?
    /// The captures, cancellations and reversals that failed; `nil` when they were not requested.
    public var failedTransactions: [PostPurchaseFailure]?
    /// Why the order was aborted.
    public var abortReason: String?
    /// Why the single try of a merchant-initiated payment failed.
    public var failure: ProblemDetails?

    /// Creates an empty value.
    public init() {}
}

/// A link of an order, in the clear: an operation that is possible now.
public struct OrderOperation: Hashable, Sendable {
    /// The operation's name.
    public var rel: Rel
    /// The HTTP method, as received.
    public var method: String?
    /// The absolute address; for some operations, it alone permits acting on the payment.
    public var href: String
    /// The declared content type, for example that of a script.
    public var contentType: String?
}

/// How an order was paid.
///
/// - Note: Source: payment order API, `paid`.
public struct OrderPayment: Hashable, Sendable {
    /// The details that rules and logs may contain.
    public var details = PaidDetails()
    /// The tokens that the payment created; they must never reach an app.
    public var tokens: [Token] = []

    /// A token that a payment created.
    public struct Token: Hashable, Sendable {
        /// `payment`, `recurrence`, `unscheduled`, `transactionsOnFile`: an open set.
        public var type: String
        /// The token: together with the merchant's access, it permits charging the payer.
        public var token: String
        /// The masked name by which the payer recognizes it.
        public var name: String?
        /// The expiry date as `MM/YYYY`.
        public var expiryDate: String?
    }

    /// Creates an empty value.
    public init() {}
}

/// A failed attempt to pay an order.
///
/// - Note: Source: payment order API, `failedAttempts`.
public struct FailedAttempt: Hashable, Sendable {
    /// When the attempt was created, as received.
    public var created: String?
    /// The method.
    public var instrument: PaymentMethodName?
    /// The PSP's number of the attempt.
    public var number: Int64?
    /// `Failed` or `Aborted`.
    public var status: String?
    /// The problem; its status is that of the document.
    public var problem: ProblemDetails?

    /// Creates an empty value.
    public init() {}
}

/// A capture, cancellation or reversal that failed.
///
/// - Note: Source: payment order API, `postPurchaseFailedAttempts`.
public struct PostPurchaseFailure: Hashable, Sendable {
    /// `Capture`, `Cancellation`, `Reversal`: an open set.
    public var type: String
    /// When it was created, as received.
    public var created: String?
    /// The PSP's number of it.
    public var number: Int64?
    /// Why it failed.
    public var problem: ProblemDetails?

    /// Creates a failure of that type.
    public init(type: String) { self.type = type }
}

extension OrderResponse: CustomStringConvertible, CustomReflectable {
    /// The order's status, without addresses or payer data.
    public var description: String {
        let name = status.flatMap { OutsideTextScreen.isName($0.rawValue) ? $0.rawValue : nil }
        return "payment order, \(name ?? "status unknown")"
    }

    /// An empty mirror.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension OrderOperation: CustomStringConvertible, CustomReflectable {
    /// The operation's name only.
    public var description: String {
        OutsideTextScreen.isName(rel.rawValue) ? rel.rawValue : "operation"
    }

    /// An empty mirror.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension OrderPayment.Token: CustomStringConvertible, CustomReflectable {
    /// A fixed text, never the token.
    public var description: String { "•••" }

    /// An empty mirror.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
