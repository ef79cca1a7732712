public import EventLog

/// Which saved card is meant, whatever its place among the saved cards is by then.
public enum CardIdentity: Hashable, Sendable {
    /// The card that this token pays with.
    case token(Sealed)
    /// The card that looks like this to the payer.
    case seen(SeenCard)

    /// Whether a saved card is the one that is meant.
    func isMeant(_ card: SavedCard) -> Bool {
        switch self {
        case .token(let token): card.token == token
        case .seen(let seen): seen.looksLike(card)
        }
    }
}

/// What a payer saw of a saved card.
public struct SeenCard: Hashable, Sendable {
    /// The number with its middle masked, as the PSP writes it.
    public var maskedPan: String
    /// For example `Visa`; nil means any.
    public var brand: String?
    /// When it expires; nil means any.
    public var expiry: CardExpiry?

    /// A card that looks like this.
    public init(maskedPan: String, brand: String? = nil, expiry: CardExpiry? = nil) {
        self.maskedPan = maskedPan
        self.brand = brand
        self.expiry = expiry
    }

    /// Spaces, and the sign that masks, don't count: people and programs write them differently.
    func looksLike(_ card: SavedCard) -> Bool {
        guard let shown = card.maskedPan, Self.plain(shown) == Self.plain(maskedPan) else {
            return false
        }
        return (brand == nil || brand == card.brand) && (expiry == nil || expiry == card.expiry)
    }

    private static func plain(_ number: String) -> [Character] {
        number.filter { !$0.isWhitespace && $0 != "-" }
            .map { ("0"..."9").contains($0) ? $0 : "*" }
    }
}

/// What a place among the saved cards means to those who were shown it.
struct CardPlace: Hashable, Sendable {
    /// The token of the card that was offered there last.
    var token: Sealed
    /// The event that put another card there than before; 0 while there was no other.
    var since: Int64

}

extension PaymentState {
    /// Takes over what is offered, and notes which places of the saved cards mean other cards than before.
    mutating func fold(_ offered: MethodsOffered) {
        offers = offered.methods
        for card in offers.savedCards {
            let known = cardPlaces[card.rank]
            let since = known.map { $0.token == card.token ? $0.since : progress.sequence } ?? 0
            cardPlaces[card.rank] = CardPlace(token: card.token, since: since)
        }
    }
}
