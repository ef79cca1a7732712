/// A payment order as a merchant creates it.
///
/// - Note: Source: payment order model of the payment order API; amounts are minor units.
public struct SandboxOrder: Sendable, Equatable {
    /// What the order is for.
    public enum Purpose: String, Sendable {
        /// Money changes hands.
        case purchase = "Purchase"
        /// A card is checked and stored, nothing is charged.
        case verify = "Verify"
        /// The merchant charges a recurrence token; the payer has no part in it.
        case recur = "Recur"
        /// The merchant charges an unscheduled token; the payer has no part in it.
        case unscheduledPurchase = "UnscheduledPurchase"
    }

    /// Where the payer's browser or app may be sent.
    public struct URLs: Sendable, Equatable {
        /// Pages that may host the payment menu.
        public var hostURLs: [String] = ["https://shop.example/"]
        /// Where the payer goes when the payment is over.
        public var completeURL: String = "https://shop.example/complete"
        /// Where the payer goes after giving up.
        public var cancelURL: String? = "https://shop.example/cancel"
        /// Where another app sends the payer back to.
        public var paymentURL: String? = "https://shop.example/pay"
        /// Where the merchant wants to be told.
        public var callbackURL: String?
        /// The shop's terms.
        public var termsOfServiceURL: String?

        /// The addresses of an example shop.
        public init() {}
    }

    /// What the order is for.
    public var purpose: Purpose = .purchase
    /// ISO 4217.
    public var currency = "SEK"
    /// What is to be paid, in minor units.
    ///
    /// Magic amounts make cards decline.
    public var amount: Int
    /// The part of the amount that is value-added tax, in minor units.
    public var vatAmount: Int
    /// What the payer reads, at most 40 characters.
    ///
    /// Magic words make Swish decline.
    public var description: String
    /// The payer's language.
    public var language = "sv-SE"
    /// The merchant's unique name for the purchase, at most 30 characters.
    public var payeeReference: String
    /// The shop's name.
    public var payeeName: String? = "Sandbox Shop"
    /// The payer's stable reference at the merchant; with it the payer's stored cards are offered.
    public var payerReference: String?
    /// The payer's phone number, offered as a Swish prefill.
    public var msisdn: String?
    /// The one method that the session is locked to from the beginning; nil means no lock.
    public var instrument: String?
    /// The methods that the menu is restricted to from the beginning; nil means all.
    public var restrictedToInstruments: [String]?
    /// Where the payer may be sent.
    public var urls = URLs()
    /// The generation of the payment order API in which the merchant speaks.
    public var version: APIVersion = .v31
    /// What else the merchant said.
    var details = OrderDetails()
    /// How the sandbox behaves.
    public var scenario: Scenario

    /// Describes an order of 100.00 SEK for a guest, with everything else as given.
    public init(
        amount: Int = 10_000,
        description: String = "Sandbox order",
        payerReference: String? = nil,
        scenario: Scenario = Scenario()
    ) {
        self.amount = amount
        self.vatAmount = amount / 5
        self.description = description
        self.payerReference = payerReference
        self.payeeReference = String(OpaqueToken.make().prefix(20))
        self.scenario = scenario
    }
}

/// What the merchant gets back for an order.
public struct CreatedOrder: Sendable, Equatable {
    /// The order's id, a UUID.
    public let id: String
    /// The href of `view-paymentsession`.
    ///
    /// Whoever holds it can act on the payment; it does not belong into a log.
    public let sessionURL: String
}
