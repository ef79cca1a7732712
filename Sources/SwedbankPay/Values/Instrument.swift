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
    /// Any method that can be paid only on the PSP's page.
    case web

    /// Creates the instrument under which a payment method is offered.
    ///
    /// - Note: Source: payment session API, payment methods: four are native, all others are web
    ///   based.
    public init(offering method: PaymentMethodName) {
        self = Self.allCases.first { $0.facts.method == method } ?? .web
    }
}

extension Instrument {
    /// The properties of an instrument.
    fileprivate struct Facts {
        /// The name on the wire; `nil` for methods that can be paid only on the PSP's page.
        var method: PaymentMethodName?
        /// The name that a payer would use.
        var label: String
        /// The party at which the payer authorizes the payment.
        var place = Place.provider
        /// Whether it is listed as a wallet that the device accepts.
        var isAcceptedWallet = false
        /// Whether paying leads to an app or page and needs the payment URL to return.
        var returnsThroughPaymentURL = true
        /// The name under which event logging reports that the wallet is presented, if it does.
        var loggedPresentation: String?
        /// Whether it takes a telephone number, to pay on another device.
        var takesNumber = false
        /// The scheme of the app in which the payer approves, if there is one.
        var appScheme: String?
        /// The domain whose links open that app.
        var appHost: String?
        /// Whether attempts have the time limit of Swish and not that of the others.
        var hasSwishLimit = false
    }

    /// The party at which the payer authorizes a payment.
    fileprivate enum Place {
        /// At the PSP, at the bank or in an app, after the attempt was started.
        case provider
        /// In a wallet on the payer's device.
        case wallet
        /// On the PSP's own page, which starts the attempt.
        case page
    }

    /// The facts about this instrument.
    @inline(__always)
    fileprivate var facts: Facts {
        guard let index = Self.allCases.firstIndex(of: self) else {
            preconditionFailure("\(self) is in no table")
        }
        return Self.table[index]
    }

    /// The facts about all instruments, in their order; made once, because rules ask for them at
    /// each step.
    private static let table = allCases.map { facts(of: $0) }

    /// The facts about one instrument.
    ///
    /// - Note: Source: payment session API, payment methods and recommended ladder R2; event
    ///   logging, values of a launch.
    private static func facts(of instrument: Instrument) -> Facts {
        switch instrument {
        case .swish:
            Facts(
                method: .swish,
                label: "Swish",
                takesNumber: true,
                appScheme: "swish",
                appHost: "app.swish.nu",
                hasSwishLimit: true
            )
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
        case .web: Facts(method: nil, label: "the PSP's payment page")
        }
    }

    /// The method's name on the wire; `nil` for methods that can be paid only on the PSP's page.
    public var method: PaymentMethodName? { facts.method }

    /// The name that a payer would use.
    package var label: String { facts.label }

    /// Whether a wallet on the payer's device authorizes the payment.
    package var isWallet: Bool { facts.place == .wallet }

    /// Whether the PSP's own page starts the attempt.
    var isOnPage: Bool { facts.place == .page }

    /// The name under which event logging reports that the wallet is presented; `nil` if it does
    /// not.
    var loggedPresentation: String? { facts.loggedPresentation }

    /// Whether it takes a telephone number, to pay on another device.
    package var takesNumber: Bool { facts.takesNumber }

    /// The scheme of the app in which the payer approves, perhaps on another device; `nil` if there
    /// is no such app.
    package var appScheme: String? { facts.appScheme }

    /// The domain whose links open that app, if there is one.
    var appHost: String? { facts.appHost }

    /// Whether attempts have the time limit of Swish and not that of the others.
    var hasSwishLimit: Bool { facts.hasSwishLimit }

    /// Creates the instrument whose app has a scheme; `nil` if there is none.
    package init?(appScheme: String?) {
        guard let appScheme,
            let instrument = Self.allCases.first(where: { $0.appScheme == appScheme })
        else { return nil }
        self = instrument
    }

    /// The instruments that can be used for an attempt.
    package static let forAttempts = allCases.filter { $0.method != nil }

    /// The wallets that the device is declared to accept, by their names on the wire.
    static let acceptedWallets = allCases.filter(\.facts.isAcceptedWallet)
        .compactMap(\.method?.rawValue)
}

/// The PSP's name for a payment method, for example `CreditCard`: an open set, compared exactly.
public struct PaymentMethodName: RawRepresentable, Hashable, Sendable {
    /// The name on the wire.
    public let rawValue: String

    /// Creates the method with that name.
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

    /// Whether paying with it leads to an app or page and needs the payment URL to return.
    ///
    /// - Note: Source: payment session API, recommended ladder R2.
    public var returnsThroughPaymentURL: Bool {
        Instrument(offering: self).facts.returnsThroughPaymentURL
    }
}
