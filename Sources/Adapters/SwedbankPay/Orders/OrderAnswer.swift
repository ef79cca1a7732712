internal import EventLog
public import SwedbankPay

/// What an answer tells of a payment order.
///
/// It holds addresses that open the payment and may hold tokens that charge the payer: it goes no further than the service
/// that asked. Members that this build does not know are ignored, and those that are not there are nothing.
///
/// - Note: Source: payment order API, payment order model, status model and sub-resources.
public struct OrderAnswer: Hashable, Sendable {
    /// The order's path, for example `/psp/paymentorders/…`.
    public var id: String?
    /// The PSP's number of it.
    public var number: Int64?
    /// How it stands; of the earlier generation its `state`.
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
    public var availableInstruments: [PaymentMethodName] = []
    /// Whether it is locked to one method.
    public var isInstrumentMode: Bool?
    /// The addresses that it was created with.
    public var urls = ClearOrderURLs()
    /// What can be done with it, names as they were sent; a merchant backend's own link to change the instrument
    /// is ``Workflow/Rel/backendInstrument``.
    public var operations: [OrderOperation] = []
    /// How it was paid.
    public var paid: OrderPayment?
    /// The attempts that failed; nothing when that was not asked for.
    public var failedAttempts: [FailedAttempt]?
    /// What was done with the money; nothing when that was not asked for.
    public var transactions: [FinancialTransaction]?
    /// Why it was given up.
    public var abortReason: String?
    /// What the single try of a payment failed with that the merchant started.
    public var failure: ProblemDetails?

    /// An answer that tells nothing yet.
    public init() {}
}

/// A link of an order, in the clear: what may be done now.
public struct OrderOperation: Hashable, Sendable {
    /// What following it does.
    public var rel: Rel
    /// Its HTTP method, as sent.
    public var method: String?
    /// The address, absolute; of some operations whoever has it can act on the payment.
    public var href: String
    /// The content type that was declared, for example that of a script.
    public var contentType: String?
}

/// How an order was paid.
///
/// - Note: Source: payment order API, `paid`.
public struct OrderPayment: Hashable, Sendable {
    /// What rules and logs may know of it.
    public var details = PaidDetails()
    /// What was taken from the payer before discounts and fees, in minor units.
    public var submittedAmount: Int64?
    /// The fee in it, in minor units.
    public var feeAmount: Int64?
    /// What was taken off, in minor units.
    public var discountAmount: Int64?
    /// The tokens that the payment left; they must never reach an app.
    public var tokens: [Token] = []

    /// A token that a payment left.
    public struct Token: Hashable, Sendable {
        /// `payment`, `recurrence`, `unscheduled`, `transactionsOnFile`: an open set.
        public var type: String
        /// The token: whoever has it, and the merchant's access, can charge the payer.
        public var token: String
        /// What the payer knows it by, masked.
        public var name: String?
        /// `MM/YYYY`.
        public var expiryDate: String?
    }

    /// A payment of which nothing is known yet.
    public init() {}
}

/// An attempt to pay an order that failed.
///
/// - Note: Source: payment order API, `failedAttempts`.
public struct FailedAttempt: Hashable, Sendable {
    /// When it began, as sent.
    public var created: String?
    /// The method.
    public var instrument: PaymentMethodName?
    /// The PSP's number of it.
    public var number: Int64?
    /// `Failed` or `Aborted`.
    public var status: String?
    /// Why, as a problem; its status is that of the document.
    public var problem: ProblemDetails?

    /// An attempt of which nothing is known yet.
    public init() {}
}

extension OrderAnswer: CustomStringConvertible, CustomReflectable {
    /// How it stands; no address and nothing of the payer.
    public var description: String {
        let name = status.flatMap { OutsideTextScreen.isName($0.rawValue) ? $0.rawValue : nil }
        return "payment order, \(name ?? "status unknown")"
    }

    /// Nothing inside.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension OrderOperation: CustomStringConvertible, CustomReflectable {
    /// The operation's name alone.
    public var description: String {
        OutsideTextScreen.isName(rel.rawValue) ? rel.rawValue : "operation"
    }

    /// Nothing inside.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension OrderPayment.Token: CustomStringConvertible, CustomReflectable {
    /// Never the token.
    public var description: String { "•••" }

    /// Nothing inside.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
