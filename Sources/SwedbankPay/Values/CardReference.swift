public import EventLog

/// Which saved card is meant.
public enum CardReference<Rank: Hashable & Sendable, Token: Hashable & Sendable>: Hashable, Sendable
{
    /// The card at a place among the saved cards.
    case ranked(Rank)
    /// The card that this token pays with, whatever its place is by then.
    case token(Token)
    /// The card that looks like this to the payer, whatever its place is by then.
    case seen(SeenCard)
}

extension CardReference {
    /// The same card, by another form of its token.
    func mapToken<Other>(_ transform: (Token) -> Other) -> CardReference<Rank, Other> {
        switch self {
        case .ranked(let rank): .ranked(rank)
        case .token(let token): .token(transform(token))
        case .seen(let seen): .seen(seen)
        }
    }
}

/// A place in a list of saved cards that somebody saw.
public struct ShownRank: Hashable, Sendable {
    /// Counted from 1.
    public var rank: Int
    /// The place in the log of the session that showed the list; without it, the rank is taken only while no other card was
    /// ever offered there.
    public var seenAt: Int64?

    /// The place of that rank.
    public init(rank: Int, seenAt: Int64? = nil) {
        self.rank = rank
        self.seenAt = seenAt
    }
}

/// The saved card that an attempt pays with.
public struct ChosenCard: Hashable, Sendable {
    /// Its place among the saved cards when it was chosen, from 1.
    public var rank: Int
    /// The token that pays with it.
    public var token: Sealed

    /// The card with these members.
    public init(rank: Int, token: Sealed) {
        self.rank = rank
        self.token = token
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
