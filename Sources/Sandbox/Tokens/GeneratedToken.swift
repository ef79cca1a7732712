/// A token that a payment created.
struct GeneratedToken: Sendable, Equatable {
    let kind: OrderDetails.TokenKind
    let token: String
    let method: String
    let card: TestCard?

    /// The entry in `paid.tokens`.
    ///
    /// - Note: Source: payment order API, `paid.tokens`: the name is masked, the date `MM/YYYY`.
    var document: JSON {
        var members: [String: JSON] = [
            "type": .string(kind.rawValue), "token": .string(token),
            "name": .string(card?.maskedNumber ?? method),
        ]
        if card != nil { members["expiryDate"] = .string(TestCard.expiryMonth) }
        return .object(members)
    }
}
