/// The hosted payment menu of an order: its options, and where the payer is in it.
struct Menu: Sendable {
    /// A method with which the payer has started to pay.
    enum Visit: Sendable {
        /// The issuer asks the payer to approve a card payment, within the menu.
        case authentication(TestCard, isRemembered: Bool)
        /// The payer was sent to the method's own page.
        case away(method: String, token: String)
    }

    /// An action of a payer in the menu.
    enum Happening: Sendable, Equatable {
        case selected(String)
        case attemptStarted(String)
        case attemptAborted(String)
    }

    /// Whether stored cards are hidden.
    let hidesStoredOptions: Bool
    /// Whether the payer is asked for consent to store the card.
    let asksForConsent: Bool
    var visit: Visit?
    /// The method that the merchant shows first.
    var expanded: String?
    /// The effects of the last button, for the surrounding page.
    var happenings: [Happening] = []
    /// The message for the payer about the last try.
    var notice: String?

    /// Creates the menu of an order, with the options of a customization.
    ///
    /// By default, payers known to the merchant are asked for consent.
    init(of order: SandboxOrder, hidesStoredOptions: Bool? = nil, asksForConsent: Bool? = nil) {
        self.hidesStoredOptions = hidesStoredOptions ?? order.details.hidesStoredOptions
        self.asksForConsent =
            asksForConsent ?? order.details.asksForConsent
            ?? (order.payerReference != nil && order.purpose == .purchase)
    }
}

extension Menu.Visit {
    /// The method being paid with.
    var method: String {
        switch self {
        case .authentication: MethodName.creditCard
        case .away(let method, _): method
        }
    }
}

extension Menu.Happening {
    /// The message to the surrounding page.
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

/// The content of the menu.
enum MenuView: Sendable, Equatable {
    case methods
    case method(String)
    case authentication
    /// The payer must continue on another page.
    case leaving(String)
    case paid
    case canceled
    case failed
    /// The menu itself failed; the order is not affected.
    case broken

    /// The event for the page that hosts the menu.
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
