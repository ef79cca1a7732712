public import EventLog

/// A way to pay, as the host and the command line name it.
public enum Instrument: String, Hashable, Sendable, CaseIterable {
    /// Swish, on this device or on another one.
    case swish
    /// A saved card.
    case card
    /// A card that the payer enters on the PSP's own page.
    case newCard = "new-card"
    /// Apple Pay.
    case applePay = "apple-pay"
    /// Google Pay.
    case googlePay = "google-pay"
    /// Click to Pay, on the PSP's own page.
    case clickToPay = "click-to-pay"
    /// Any method that is payable on the PSP's page only.
    case web

    /// The instrument under which a payment method is offered.
    ///
    /// Source: payment session API, payment methods: four are native, all others are web based.
    public init(offering method: PaymentMethodName) {
        switch method.rawValue {
        case "Swish": self = .swish
        case "CreditCard": self = .card
        case "ApplePay": self = .applePay
        case "GooglePay": self = .googlePay
        case "ClickToPay": self = .clickToPay
        default: self = .web
        }
    }
}

/// The PSP's name of a payment method, for example `CreditCard`: an open set, compared to the letter.
public struct PaymentMethodName: RawRepresentable, Hashable, Sendable {
    /// The name on the wire.
    public let rawValue: String

    /// The method of that name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Swish.
    public static let swish = PaymentMethodName(rawValue: "Swish")
    /// Card, saved or new.
    public static let creditCard = PaymentMethodName(rawValue: "CreditCard")
    /// Apple Pay.
    public static let applePay = PaymentMethodName(rawValue: "ApplePay")
    /// Google Pay.
    public static let googlePay = PaymentMethodName(rawValue: "GooglePay")
    /// Click to Pay.
    public static let clickToPay = PaymentMethodName(rawValue: "ClickToPay")

    /// Whether paying with it leaves for an app or page and needs the payment URL to come back.
    ///
    /// Source: payment session API, recommended ladder R2.
    public var returnsThroughPaymentURL: Bool {
        switch self {
        case .creditCard, .applePay, .googlePay: false
        default: true
        }
    }
}

/// What the payer chose, with the parameters that the attempt needs.
public enum Choice: Hashable, Sendable {
    /// Swish; with a number the request goes to another device, without one to an app on this device.
    case swish(msisdn: Sealed?)
    /// A saved card: the token of the prefill of that rank.
    case card(rank: Int, token: Sealed)
    /// A card entered on the PSP's page; whether that page shows the consent check box.
    case newCard(showsConsent: Bool)
    /// Apple Pay for a merchant identifier.
    case applePay(merchantIdentifier: String)
    /// Google Pay.
    case googlePay
    /// Click to Pay.
    case clickToPay

    /// The instrument of the choice.
    public var instrument: Instrument {
        switch self {
        case .swish: .swish
        case .card: .card
        case .newCard: .newCard
        case .applePay: .applePay
        case .googlePay: .googlePay
        case .clickToPay: .clickToPay
        }
    }

    /// The method's name on the wire; a new card is `CreditCard` there.
    public var method: PaymentMethodName {
        switch self {
        case .swish: .swish
        case .card, .newCard: .creditCard
        case .applePay: .applePay
        case .googlePay: .googlePay
        case .clickToPay: .clickToPay
        }
    }
}
