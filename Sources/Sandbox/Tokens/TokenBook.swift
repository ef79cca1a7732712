/// The stored payment details of payers, each under a token.
///
/// - Note: Source: payment order API, tokens: `Payment`, `Recurrence` and `Unscheduled`; deleted
///   ones stay known, and are refused.
struct TokenBook: Sendable {
    /// Whether the stored cards of each payer end in digits of their own.
    var variesCards = false

    /// A token and its target.
    struct Entry: Sendable {
        let token: GeneratedToken
        /// The merchant's reference of the payer, if there was one.
        let payer: String?
        var isDeleted = false
    }

    /// The refusals of a card in merchant-initiated charges.
    ///
    /// - Note: Source: problem catalogue, limits of recurring and unscheduled card payments: they
    ///   count by card number, and a refusal that says not to retry blocks the card at once.
    struct Refusals: Sendable {
        var count = 0
        var isBlocked = false
    }

    private var refusals: [String: Refusals] = [:]
    private var entries: [String: Entry] = [:]
    /// The tokens in the order of their creation.
    private var order: [String] = []
    /// The tokens of cards that are offered to payers, by payer reference and number.
    private var offered: [String: String] = [:]
    /// The numbers of the cards that payers let the menu remember, newest first, by payer
    /// reference.
    private var remembered: [String: [String]] = [:]

    /// Stores a token that a payment created.
    mutating func store(_ token: GeneratedToken, of payer: String?) {
        guard entries[token.token] == nil else { return }
        entries[token.token] = Entry(token: token, payer: payer)
        order.append(token.token)
        guard token.kind == .payment, let payer, let card = token.card else { return }
        offered["\(payer)/\(card.number)"] = token.token
        remember(card, of: payer)
    }

    /// Stores a card that the payer wants to be remembered, as the best one.
    mutating func remember(_ card: TestCard, of payer: String) {
        remembered[payer, default: []].removeAll { $0 == card.number }
        guard card.isStorable, !TestCard.standard.contains(card.number) else { return }
        remembered[payer, default: []].insert(card.number, at: 0)
        let name = "\(payer)/\(card.number)"
        // A deleted card that is remembered again gets a new token.
        if let old = offered[name], entries[old]?.isDeleted == true { offered[name] = nil }
    }

    /// The payer's cards, each with a token that stays the same over all of the payer's orders.
    mutating func cards(of payer: String, _ wanted: [String]?) -> [SavedCard] {
        let standard = (remembered[payer] ?? []) + TestCard.standard
        return (wanted ?? standard).compactMap { number in
            guard var card = TestCard.all[number] else { return nil }
            if variesCards { card = card.ending(for: payer) }
            let token = offered["\(payer)/\(number)"] ?? OpaqueToken.identifier()
            offered["\(payer)/\(number)"] = token
            if entries[token] == nil {
                let stored = GeneratedToken(
                    kind: .payment,
                    token: token,
                    method: MethodName.creditCard,
                    card: card
                )
                entries[token] = Entry(token: stored, payer: payer)
                order.append(token)
            }
            guard entries[token]?.isDeleted == false else { return nil }
            return SavedCard(card: card, paymentToken: token)
        }
    }

    /// The target of a token, deleted or not.
    func entry(_ token: String) -> Entry? { entries[token] }

    /// The tokens of a payer that are not deleted, oldest first.
    func entries(of payer: String, only kind: OrderDetails.TokenKind? = nil) -> [Entry] {
        order.compactMap { entries[$0] }
            .filter { $0.payer == payer && !$0.isDeleted }
            .filter { kind == nil || $0.token.kind == kind }
    }

    /// The number of times that a card was refused.
    func refusals(of card: String) -> Refusals { refusals[card] ?? Refusals() }

    /// Counts a refusal of a card.
    mutating func recordRefusal(of card: String, blocks: Bool) {
        refusals[card, default: Refusals()].count += 1
        if blocks { refusals[card]?.isBlocked = true }
    }

    mutating func delete(_ token: String) { entries[token]?.isDeleted = true }
}
