public import EventLog

/// A payment method that a snapshot offers.
///
/// - Note: Source: payment session API, payment methods.
public struct OfferedMethod: Hashable, Sendable {
    /// The PSP's name for the method.
    public var name: PaymentMethodName
    /// Numbers and cards that the PSP has stored for this payer, in the PSP's order.
    public var prefills: [Prefill]
    /// The operations that the method offers now, also for web-based ones.
    public var operations: [Operation]
    /// Card brands, for cards and wallets.
    public var cardBrands: [String]
    /// Apple Pay's merchant capabilities.
    public var merchantCapabilities: [String]
    /// Google Pay's card authentication methods.
    public var allowedCardAuthMethods: [String]
    /// Google Pay's environment, as sent.
    public var environment: String?
    /// An amount in minor units, if the method names one.
    public var amount: Amount?

    /// Creates a method with these members.
    public init(
        name: PaymentMethodName,
        prefills: [Prefill] = [],
        operations: [Operation] = [],
        cardBrands: [String] = [],
        merchantCapabilities: [String] = [],
        allowedCardAuthMethods: [String] = [],
        environment: String? = nil,
        amount: Amount? = nil
    ) {
        self.name = name
        self.prefills = prefills
        self.operations = operations
        self.cardBrands = cardBrands
        self.merchantCapabilities = merchantCapabilities
        self.allowedCardAuthMethods = allowedCardAuthMethods
        self.environment = environment
        self.amount = amount
    }
}

/// A number or card that the PSP has stored for the payer.
public enum Prefill: Hashable, Sendable {
    /// A telephone number for Swish: sealed, and masked for display.
    case swish(rank: Int, msisdn: Sealed, masked: String)
    /// A saved card.
    case card(SavedCard)

    /// Its rank in the order of presentation, from 1.
    public var rank: Int {
        switch self {
        case .swish(let rank, _, _): rank
        case .card(let card): card.rank
        }
    }
}

/// A saved card.
public struct SavedCard: Hashable, Sendable {
    /// Its rank in the order of presentation, from 1.
    public var rank: Int
    /// The token to pay with.
    public var token: Sealed
    /// The brand, for example `Visa`.
    public var brand: String?
    /// The number with its middle masked.
    public var maskedPan: String?
    /// When it expires; `nil` when that could not be read, which does not mean that it has expired.
    public var expiry: CardExpiry?

    /// Creates a saved card with these members.
    public init(
        rank: Int,
        token: Sealed,
        brand: String? = nil,
        maskedPan: String? = nil,
        expiry: CardExpiry? = nil
    ) {
        self.rank = rank
        self.token = token
        self.brand = brand
        self.maskedPan = maskedPan
        self.expiry = expiry
    }
}

/// The month in which a card expires, in UTC.
public struct CardExpiry: Hashable, Sendable {
    /// The year, for example 2027.
    public var year: Int
    /// The month, from 1 to 12.
    public var month: Int

    /// Creates the month of a year.
    public init(year: Int, month: Int) {
        self.year = year
        self.month = month
    }

    /// The month and year, for example `12/2027`.
    public var text: String { (month < 10 ? "0" : "") + "\(month)/\(year)" }
}
