public import EventLog

/// Identifies a saved card.
public enum CardReference<Rank: Hashable & Sendable, Token: Hashable & Sendable>: Hashable, Sendable
{
    /// The card with a rank among the saved cards.
    case ranked(Rank)
    /// The card with this token, whatever its rank is by then.
    case token(Token)
    /// The card with this appearance, whatever its rank is by then.
    case seen(SeenCard)
}

extension CardReference {
    /// The same reference with another form of its token.
    func mapToken<Other>(_ transform: (Token) -> Other) -> CardReference<Rank, Other> {
        switch self {
        case .ranked(let rank): .ranked(rank)
        case .token(let token): .token(transform(token))
        case .seen(let seen): .seen(seen)
        }
    }
}

/// A rank in a list of saved cards that was shown.
public struct ShownRank: Hashable, Sendable {
    /// The rank, from 1.
    public var rank: Int
    /// The sequence number of the state that showed the list; when it is `nil`, the rank is
    /// accepted only if no other card was ever offered there.
    public var seenAt: SequenceNumber?

    /// Creates the reference to a rank.
    public init(rank: Int, seenAt: SequenceNumber? = nil) {
        self.rank = rank
        self.seenAt = seenAt
    }
}

/// The saved card that an attempt pays with.
public struct ChosenCard: Hashable, Sendable {
    /// Its rank among the saved cards when it was chosen, from 1.
    public var rank: Int
    /// The token to pay with.
    public var token: Sealed

    /// Creates a card with these members.
    public init(rank: Int, token: Sealed) {
        self.rank = rank
        self.token = token
    }
}

/// The appearance of a saved card to a payer.
public struct SeenCard: Hashable, Sendable {
    /// The number with its middle masked, as the PSP writes it.
    public var maskedPan: String
    /// The brand, for example `Visa`; `nil` means any.
    public var brand: String?
    /// When it expires; `nil` means any.
    public var expiry: CardExpiry?

    /// Creates the appearance of a card.
    public init(maskedPan: String, brand: String? = nil, expiry: CardExpiry? = nil) {
        self.maskedPan = maskedPan
        self.brand = brand
        self.expiry = expiry
    }

    /// The most digits of a card's number that may be shown: the first eight and the last four.
    ///
    /// Source: PCI DSS 4.0.1, requirement 3.4.1.
    private static let shownDigits = 12

    /// Whether a text is a masked number: it has mask characters and not too many digits, and
    /// nothing else but spaces and hyphens.
    package static func isMasked(_ text: String) -> Bool {
        let masks: Set<Unicode.Scalar> = ["*", "•", "x", "X"]
        let scalars = text.unicodeScalars
        func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }
        return (1...shownDigits).contains(scalars.count(where: isDigit))
            && scalars.contains(where: masks.contains)
            && scalars.allSatisfy {
                isDigit($0) || masks.contains($0) || $0 == " " || $0 == "-"
            }
    }

    /// Whether a card matches; spaces and the masking character are ignored, because they are
    /// written in different ways.
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

/// The card that a rank among the saved cards refers to for those who were shown it.
struct CardPlace: Hashable, Sendable {
    /// The token of the card that was last offered there.
    var token: Sealed
    /// The sequence number of the event that put a different card at this rank; 0 while there was
    /// no other.
    var since: SequenceNumber

}

extension PaymentState {
    /// Folds an offer of methods, and records which ranks of the saved cards now mean other cards.
    mutating func fold(_ offered: MethodsOffered) {
        offers = offered.methods
        for card in offers.savedCards {
            let known = cardPlaces[card.rank]
            let since = known.map { $0.token == card.token ? $0.since : progress.sequence } ?? 0
            cardPlaces[card.rank] = CardPlace(token: card.token, since: since)
        }
    }
}
