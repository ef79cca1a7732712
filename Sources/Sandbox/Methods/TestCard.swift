/// What the issuer of a card requires of the payer before money moves.
struct CardAuthentication: Sendable, Equatable {
    /// Whether the hidden 3-D Secure method comes first.
    let usesMethod: Bool
    /// Whether the payer has to approve on the issuer's page.
    let challenges: Bool

    /// No authentication: the payment is authorized at once.
    static let none = CardAuthentication(usesMethod: false, challenges: false)
}

/// A card of the PSP's test environment.
///
/// - Note: Source: the PSP's test data. Where it says "challenge" or "frictionless", the sandbox
///   chooses which cards also have the 3-D Secure method, so that every combination exists.
struct TestCard: Sendable, Equatable {
    let number: String
    let brand: String
    let authentication: CardAuthentication

    /// Whether the card can be stored; some cards are rejected.
    var isStorable: Bool { !Self.rejectedByTokenization.contains(number) }

    /// The card with other last digits, which depend on the payer, and the same behavior.
    func ending(for payer: String) -> TestCard {
        // FNV-1a, so that the digits are the same in every run.
        let hash = "\(payer)/\(number)".utf8.reduce(UInt32(2_166_136_261)) {
            ($0 ^ UInt32($1)) &* 16_777_619
        }
        let digits = String(10_000 + hash % 10_000).dropFirst()
        return TestCard(
            number: String(number.dropLast(4) + digits),
            brand: brand,
            authentication: authentication
        )
    }

    /// The masked number.
    var maskedNumber: String { "\(number.prefix(6))******\(number.suffix(4))" }

    /// The expiry date of every test card.
    static let expiryDate = "2030-12-31T00:00:00Z"

    /// The expiry date as a month and a year.
    static let expiryMonth = "12/2030"

    /// A payer's stored cards when the order does not specify any, best first.
    static let standard = [
        "4761739001010416", "5226612199533406", "4925000000000004", "4111112000003211",
    ]

    private static let rejectedByTokenization: Set<String> = [
        "5510000000009631", "5510000000005431", "4111112000004565", "4111112000007899",
    ]

    /// All cards the sandbox knows, by number.
    static let all: [String: TestCard] = Dictionary(
        uniqueKeysWithValues: list.map { ($0.number, $0) }
    )

    private static let list: [TestCard] = {
        let challenge = CardAuthentication(usesMethod: false, challenges: true)
        let both = CardAuthentication(usesMethod: true, challenges: true)
        let method = CardAuthentication(usesMethod: true, challenges: false)
        let behaviours: [(String, String, CardAuthentication)] = [
            ("4761739001010416", "Visa", both),
            ("5226612199533406", "MasterCard", challenge),
            ("4925000000000004", "Visa", .none),
            ("4111112000003211", "Visa", method),
            ("4111112000006545", "Visa", both),
            ("5510000000001232", "MasterCard", method),
            ("5510000000002347", "MasterCard", both),
            ("4581097032723517", "Visa", .none),
            ("4581099940323133", "Visa", .none),
            ("5226600159865967", "MasterCard", .none),
            ("377601000000000", "Amex", .none),
            ("4571994016401817", "Visa", .none), ("4571994016471869", "Visa", .none),
            ("5510000000009631", "MasterCard", .none), ("5510000000005431", "MasterCard", .none),
            ("4111112000004565", "Visa", .none), ("4111112000007899", "Visa", .none),
        ]
        return behaviours.map {
            TestCard(number: $0.0, brand: $0.1, authentication: $0.2)
        }
    }()
}

/// A test card stored by a payer, with a token of its own.
struct SavedCard: Sendable, Equatable {
    let card: TestCard
    let paymentToken: String

    /// The prefill that offers the card.
    func prefill(rank: Int) -> JSON {
        [
            "rank": .integer(rank), "paymentToken": .string(paymentToken),
            "cardBrand": .string(card.brand), "maskedPan": .string(card.maskedNumber),
            "expiryDate": .string(TestCard.expiryDate),
        ]
    }
}
