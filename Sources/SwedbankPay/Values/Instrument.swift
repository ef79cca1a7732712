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
        self = Self.allCases.first { $0.facts.method == method } ?? .web
    }
}

extension Instrument {
    /// What is known of an instrument, in one place for all who ask.
    fileprivate struct Facts {
        /// The name on the wire; nil for methods that are payable on the PSP's page only.
        var method: PaymentMethodName?
        /// As a payer would say it.
        var label: String
        /// Where the payer agrees to the payment.
        var place = Place.provider
        /// Whether the device's list of accepted wallets names it.
        var isAcceptedWallet = false
        /// Whether paying leaves for an app or page and needs the payment URL to come back.
        var returnsThroughPaymentURL = true
        /// The name under which event logging learns that the wallet is presented, where it does.
        var loggedPresentation: String?
    }

    /// Where the payer agrees to a payment.
    fileprivate enum Place {
        /// At the PSP, the bank or in an app, once the attempt was started.
        case provider
        /// In a wallet on the payer's device.
        case wallet
        /// On the PSP's own page, which starts the attempt.
        case page
    }

    /// Source: payment session API, payment methods and recommended ladder R2; event logging, values of a launch.
    fileprivate var facts: Facts {
        switch self {
        case .swish: Facts(method: .swish, label: "Swish")
        case .card:
            Facts(method: .creditCard, label: "a saved card", returnsThroughPaymentURL: false)
        case .newCard: Facts(method: .creditCard, label: "a new card", place: .page)
        case .applePay:
            Facts(
                method: .applePay,
                label: "Apple Pay",
                place: .wallet,
                isAcceptedWallet: true,
                returnsThroughPaymentURL: false
            )
        case .googlePay:
            Facts(
                method: .googlePay,
                label: "Google Pay",
                place: .wallet,
                isAcceptedWallet: true,
                returnsThroughPaymentURL: false,
                loggedPresentation: "launchGooglePay"
            )
        case .clickToPay:
            Facts(
                method: .clickToPay,
                label: "Click to Pay",
                place: .page,
                isAcceptedWallet: true
            )
        case .web: Facts(method: nil, label: "methods on the PSP's page")
        }
    }

    /// The method's name on the wire; nil for methods that are payable on the PSP's page only.
    public var method: PaymentMethodName? { facts.method }

    /// The instrument as a payer would say it.
    package var label: String { facts.label }

    /// Whether a wallet on the payer's device authorises the payment.
    package var isWallet: Bool { facts.place == .wallet }

    /// Whether the PSP's own page starts the attempt.
    var isOnPage: Bool { facts.place == .page }

    /// The name under which event logging learns that the wallet is presented; nil where it doesn't.
    var loggedPresentation: String? { facts.loggedPresentation }

    /// Those that an attempt can be made with.
    package static let forAttempts = allCases.filter { $0.method != nil }

    /// The wallets that a device is said to accept, by their names on the wire.
    static let acceptedWallets = allCases.filter(\.facts.isAcceptedWallet)
        .compactMap(\.method?.rawValue)
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
        Instrument(offering: self).facts.returnsThroughPaymentURL
    }
}
