public import EventLog

/// A checkout was taken in.
public struct CheckoutOpened: Hashable, Sendable {
    /// Who creates the order.
    public var gateway: OrderGateway
    /// The backend's root, or the base of the PSP's API; sealed, since an address can hold a secret.
    public var root: Sealed
    /// The host of that address.
    public var host: String
    /// The order, as JSON text.
    public var document: Sealed
    /// What the rules need to know of it.
    public var terms: OrderTerms
    /// Which generation's names and shapes are used.
    public var generation: CheckoutGeneration
    /// The merchant's unique reference of the order, where this engine gives it; tries that can't be told from one that
    /// took effect add to it.
    public var payeeReference: String?
    /// With which the payer checks in first; nothing when nobody checks in.
    public var consumer: ConsumerTerms?
    /// Whether the client is to show the PSP's page as soon as the order is there.
    public var presents: Bool
    /// How the client shows pages.
    public var options: CheckoutOptions
    /// The merchant's own reference; sealed when it looks like a number or address of a person.
    public var reference: OutsideText?
    /// The host application's own notes; each sealed when something in it looks like a secret.
    public var metadata: [String: OutsideText]
    /// The user agent that the engine presents.
    public var userAgent: String
    /// A custom scheme that a return may have instead of the payment URL's.
    public var callbackScheme: String?

    /// The content of a `checkoutOpened` event.
    public init(
        gateway: OrderGateway,
        root: Sealed,
        host: String,
        document: Sealed,
        terms: OrderTerms,
        generation: CheckoutGeneration = .v3,
        payeeReference: String? = nil,
        consumer: ConsumerTerms? = nil,
        presents: Bool = true,
        options: CheckoutOptions = CheckoutOptions(),
        reference: OutsideText? = nil,
        metadata: [String: OutsideText] = [:],
        userAgent: String,
        callbackScheme: String? = nil
    ) {
        self.gateway = gateway
        self.root = root
        self.host = host
        self.document = document
        self.terms = terms
        self.generation = generation
        self.payeeReference = payeeReference
        self.consumer = consumer
        self.presents = presents
        self.options = options
        self.reference = reference
        self.metadata = metadata
        self.userAgent = userAgent
        self.callbackScheme = callbackScheme
    }
}

/// What rules know of an order before it exists.
public struct OrderTerms: Hashable, Sendable {
    /// What it is for: `Purchase`, `Verify`.
    public var purpose: String
    /// ISO 4217.
    public var currency: String?
    /// In minor units; nothing where nothing is charged.
    public var amount: Int64?
    /// The payer's language.
    public var language: String?
    /// The method that the order is locked to from the beginning.
    public var instrument: PaymentMethodName?
    /// The order's addresses.
    public var urls: OrderURLs

    /// Terms with these members.
    public init(
        purpose: String = "Purchase",
        currency: String? = nil,
        amount: Int64? = nil,
        language: String? = nil,
        instrument: PaymentMethodName? = nil,
        urls: OrderURLs = OrderURLs()
    ) {
        self.purpose = purpose
        self.currency = currency
        self.amount = amount
        self.language = language
        self.instrument = instrument
        self.urls = urls
    }
}

/// With what a check-in begins.
///
/// - Note: Source: merchant backend API, consumers.
public struct ConsumerTerms: Hashable, Sendable {
    /// The language of the check-in.
    public var language: String
    /// The countries that may be delivered to, as ISO 3166 codes.
    public var shippingCountries: [String]

    /// Terms with these members.
    public init(language: String, shippingCountries: [String]) {
        self.language = language
        self.shippingCountries = shippingCountries
    }
}

/// How the client shows the PSP's pages.
public struct CheckoutOptions: Hashable, Sendable {
    /// Where pages open that the PSP's page leads to.
    public var redirects: Redirects
    /// Whether the merchant shows its own terms instead of the page behind the order's address.
    public var overridesTermsOfService: Bool
    /// Whether each page that the payer is led to is recorded, by its host.
    public var recordsNavigation: Bool
    /// Whether whoever creates the orders lets them be read; where nobody does, the client's account is all there is, and
    /// nothing is confirmed.
    public var readsOrders: Bool
    /// Patterns of further hosts whose pages stay where the PSP's page is, beside the known ones.
    ///
    /// They count where ``redirects`` is ``Redirects/policy``; without any, every page stays there.
    public var redirectHosts: [String]
    /// Whether the addresses of the pages that the payer is led to are recorded: sealed, since they may let somebody act.
    public var recordsAddresses: Bool

    /// How many patterns a checkout takes.
    public static let redirectHostLimit = 100

    /// Where pages open that the PSP's page leads to.
    ///
    /// - Note: Source: redirect policy of the mobile SDKs.
    public enum Redirects: String, Hashable, Sendable, CaseIterable {
        /// As the host's policy says for each.
        case policy
        /// Always where the PSP's page is.
        case webView
        /// Always in the payer's browser.
        case browser
    }

    /// Options with these members.
    public init(
        redirects: Redirects = .policy,
        overridesTermsOfService: Bool = false,
        recordsNavigation: Bool = false,
        readsOrders: Bool = true,
        redirectHosts: [String] = [],
        recordsAddresses: Bool = false
    ) {
        self.redirects = redirects
        self.overridesTermsOfService = overridesTermsOfService
        self.recordsNavigation = recordsNavigation
        self.readsOrders = readsOrders
        self.redirectHosts = redirectHosts
        self.recordsAddresses = recordsAddresses
    }
}

/// The merchant backend's root document was read.
public struct EndpointsDiscovered: Hashable, Sendable {
    /// What it says.
    public var endpoints: BackendEndpoints

    /// The content of an `endpointsDiscovered` event.
    public init(endpoints: BackendEndpoints) { self.endpoints = endpoints }
}

/// The PSP told where the payer checks in.
public struct CheckInOffered: Hashable, Sendable {
    /// The check-in's script.
    public var script: Sealed

    /// The content of a `checkInOffered` event.
    public init(script: Sealed) { self.script = script }
}

/// The client was asked to show the check-in.
public struct CheckInRequested: Hashable, Sendable {
    /// The action that the client answers.
    public var action: ActionID
    /// The check-in's script.
    public var script: Sealed

    /// The content of a `checkInRequested` event.
    public init(action: ActionID, script: Sealed) {
        self.action = action
        self.script = script
    }
}

/// The payer was identified.
public struct PayerCheckedIn: Hashable, Sendable {
    /// The action.
    public var action: ActionID
    /// What stands for the payer in the order; for 24 hours, and once.
    public var consumerProfileRef: Sealed

    /// The content of a `payerCheckedIn` event.
    public init(action: ActionID, consumerProfileRef: Sealed) {
        self.action = action
        self.consumerProfileRef = consumerProfileRef
    }
}

/// A page that the payer was led to.
public struct Navigated: Hashable, Sendable {
    /// The action whose page led there.
    public var action: ActionID
    /// The host, or the scheme of an app's link with a colon behind it; never more of the address.
    public var destination: String?
    /// Where it opened.
    public var place: Place
    /// The whole address, where the host wants it recorded.
    public var url: Sealed?

    /// Where a page opens.
    public enum Place: String, Hashable, Sendable, CaseIterable {
        /// Where the PSP's page is.
        case webView
        /// In the payer's browser.
        case browser
        /// In another app.
        case app
    }

    /// A step to that page.
    public init(action: ActionID, destination: String?, place: Place, url: Sealed? = nil) {
        self.action = action
        self.destination = destination
        self.place = place
        self.url = url
    }
}
