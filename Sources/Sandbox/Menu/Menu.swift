/// The hosted payment menu of an order: how it looks, and where the payer is in it.
struct Menu: Sendable {
    /// A method that the payer has begun to pay with.
    enum Visit: Sendable {
        /// The issuer asks the payer to approve a card payment, within the menu.
        case authentication(TestCard, isRemembered: Bool)
        /// The payer was sent to the method's own page.
        case away(method: String, token: String)
    }

    /// Something that a payer did in the menu.
    enum Happening: Sendable, Equatable {
        case selected(String)
        case attemptStarted(String)
        case attemptAborted(String)
    }

    /// Whether stored cards stay out of sight.
    let hidesStoredOptions: Bool
    /// Whether the payer is asked if the card may be stored.
    let asksForConsent: Bool
    var visit: Visit?
    /// The method that the merchant wants to be shown first.
    var expanded: String?
    /// What happened by the last button, for the page around the menu.
    var happenings: [Happening] = []
    /// What the payer has to be told about the last try.
    var notice: String?

    /// The menu of an order, changed by what a customisation said.
    ///
    /// Without a word about it, payers whom the merchant knows are asked for consent.
    init(of order: SandboxOrder, hidesStoredOptions: Bool? = nil, asksForConsent: Bool? = nil) {
        self.hidesStoredOptions = hidesStoredOptions ?? order.details.hidesStoredOptions
        self.asksForConsent =
            asksForConsent ?? order.details.asksForConsent
            ?? (order.payerReference != nil && order.purpose == .purchase)
    }
}

extension Menu.Visit {
    /// The method that is paid with.
    var method: String {
        switch self {
        case .authentication: MethodName.creditCard
        case .away(let method, _): method
        }
    }
}

extension Menu.Happening {
    /// What the page around the menu is told.
    var document: JSON {
        switch self {
        case .selected(let method): ["event": "selected", "instrument": .string(method)]
        case .attemptStarted(let method):
            ["event": "attemptStarted", "instrument": .string(method)]
        case .attemptAborted(let method):
            ["event": "attemptAborted", "instrument": .string(method)]
        }
    }
}

/// What the menu shows.
enum MenuView: Sendable, Equatable {
    case methods
    case method(String)
    case authentication
    /// The payer has to go to another page.
    case leaving(String)
    case paid
    case canceled
    case failed
    /// The menu itself broke; the order knows nothing of it.
    case broken

    /// The word for the page that hosts the menu.
    var event: String {
        switch self {
        case .methods, .method, .authentication: "loaded"
        case .leaving: "leave"
        case .paid: "paid"
        case .canceled: "canceled"
        case .failed, .broken: "error"
        }
    }
}
