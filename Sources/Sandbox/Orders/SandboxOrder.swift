/// A payment order as created by a merchant.
///
/// - Note: Source: payment order model of the payment order API; amounts are in minor units.
public struct SandboxOrder: Sendable, Equatable {
    /// The purpose of the order.
    public enum Purpose: String, Sendable {
        /// A payment.
        case purchase = "Purchase"
        /// A card is verified and stored, without a charge.
        case verify = "Verify"
        /// The merchant charges a recurrence token, without the payer.
        case recur = "Recur"
        /// The merchant charges an unscheduled token, without the payer.
        case unscheduledPurchase = "UnscheduledPurchase"
    }

    /// The addresses to which the payer's browser or app may be redirected.
    public struct URLs: Sendable, Equatable {
        /// Pages that may host the payment menu.
        public var hostURLs: [String] = ["https://shop.example/"]
        /// The URL to which the payer is redirected when the payment is over.
        public var completeURL: String = "https://shop.example/complete"
        /// The URL to which the payer is redirected after canceling.
        public var cancelURL: String? = "https://shop.example/cancel"
        /// The URL to which another app returns the payer.
        public var paymentURL: String? = "https://shop.example/pay"
        /// The address for callbacks to the merchant.
        public var callbackURL: String?
        /// The shop's terms of service.
        public var termsOfServiceURL: String?

        /// Creates the addresses of an example shop.
        public init() {}
    }

    /// The purpose of the order.
    public var purpose: Purpose = .purchase
    /// The currency (ISO 4217).
    public var currency = "SEK"
    /// The amount in minor units.
    ///
    /// Magic amounts make cards decline.
    public var amount: Int
    /// The value-added tax in the amount, in minor units.
    public var vatAmount: Int
    /// The description for the payer, at most 40 characters.
    ///
    /// Magic words make Swish decline.
    public var description: String
    /// The payer's language.
    public var language = "sv-SE"
    /// The merchant's unique reference for the purchase, at most 30 characters.
    public var payeeReference: String
    /// The shop's name.
    public var payeeName: String? = "Sandbox Shop"
    /// The merchant's stable reference of the payer; with it the payer's stored cards are offered.
    public var payerReference: String?
    /// The payer's phone number, offered as a Swish prefill.
    public var msisdn: String?
    /// The single method to which the session is locked from the beginning; `nil` means no lock.
    public var instrument: String?
    /// The methods to which the menu is restricted from the beginning; `nil` means all.
    public var restrictedToInstruments: [String]?
    /// The addresses to which the payer may be redirected.
    public var urls = URLs()
    /// The version of the payment order API that the merchant uses.
    public var version: APIVersion = .v31
    /// The merchant's other members.
    var details = OrderDetails()
    /// How the sandbox behaves.
    public var scenario: Scenario

    /// Creates an order, by default of 100.00 SEK for a guest.
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

/// The result of creating an order.
public struct CreatedOrder: Sendable, Equatable {
    /// The order's id, a UUID.
    public let id: String
    /// The href of `view-paymentsession`.
    ///
    /// It permits acting on the payment and must not be logged.
    public let sessionURL: String
}
