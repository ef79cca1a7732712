/// The hosted payment menu of an order: how it looks, and where the payer is in it.
struct Menu: Sendable {
    /// A method that the payer has begun to pay with.
    enum Visit: Sendable {
        /// The issuer asks the payer to approve a card payment, within the menu.
        case authentication(TestCard, isRemembered: Bool)
        /// The payer was sent to the method's own page.
        case away(method: String, token: String)
    }

    /// Whether stored cards stay out of sight.
    let hidesStoredOptions: Bool
    /// Whether the payer is asked if the card may be stored.
    let asksForConsent: Bool
    var visit: Visit?
    /// The method that the merchant wants to be shown first.
    var expanded: String?
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
