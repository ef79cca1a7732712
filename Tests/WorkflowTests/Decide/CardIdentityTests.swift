import SwedbankPay
import Testing
import WorkflowTesting

/// Saved cards that change between being shown and being used for payment.
extension CardTests {
    /// Returns a snapshot with saved cards at the ranks 1, 2, …, whose tokens and masked numbers
    /// have these names.
    private static func cards(_ names: String...) -> Snapshot {
        var method = OfferedMethod.sampleCard
        method.prefills = names.enumerated().map { place, name in
            .card(
                SavedCard(
                    rank: place + 1,
                    token: .sample("token-\(name)"),
                    brand: "Visa",
                    maskedPan: "476173******\(name)",
                    expiry: CardExpiry(year: 2027, month: 12)
                )
            )
        }
        return .choosing([method])
    }

    private static let swapped = payment().ready(cards("1111", "2222")).when(.returned(.original))
        .when(response: cards("2222", "1111"))

    @Test func `an attempt whose rank now means another card than the payer saw is refused`() {
        let shown = payment().ready(Self.cards("1111", "2222")).state.sequence
        let spec = Self.swapped
        spec.when(.attempt(.card(rank: 1))).then(rejected: .prefillChanged(rank: 1))
            .hasNoPendingRequest()
        spec.when(.attempt(.card(rank: 1, seenAt: shown)))
            .then(rejected: .prefillChanged(rank: 1))
        // Back at its rank, the card is still not the one that a client saw in between.
        let between = spec.state.sequence
        let back = spec.when(.returned(.original)).when(response: Self.cards("1111", "2222"))
        back.when(.attempt(.card(rank: 1, seenAt: between)))
            .then(rejected: .prefillChanged(rank: 1))
    }

    @Test func `an attempt by rank pays with the card that the payer saw at that rank`() {
        let spec = Self.swapped
        let attempt = spec.when(.attempt(.card(rank: 1, seenAt: spec.state.sequence)))
        #expect(
            attempt.state.payment?.attempt?.choice == .card(rank: 1, token: .sample("token-2222"))
        )
        // A rank that was empty meanwhile, and then has its card again, means the same card.
        let again = payment().ready(Self.cards("1111", "2222")).when(.returned(.original))
            .when(response: Self.cards("1111")).when(.returned(.original))
            .when(response: Self.cards("1111", "2222")).when(.attempt(.card(rank: 2)))
        #expect(
            again.state.payment?.attempt?.choice == .card(rank: 2, token: .sample("token-2222"))
        )
    }

    @Test func `a card named by its token or masked number is found at any rank`() {
        let seen = SeenCard(maskedPan: "4761 73•• •••• 1111")
        let references: [(ChoiceRequest, Preference)] = [
            (.card(.token(.sample("token-1111"))), .card(.token(.sample("token-1111")))),
            (.card(.seen(seen)), .card(.seen(seen))),
        ]
        for (request, preference) in references {
            let attempt = Self.swapped.when(.attempt(request))
            #expect(
                attempt.state.payment?.attempt?.choice
                    == .card(rank: 2, token: .sample("token-1111"))
            )
            let opened = Opened.sample(preferences: [preference])
            let preset = payment().ready(Self.cards("2222", "1111"), opened: opened)
            #expect(
                preset.state.payment?.attempt?.choice
                    == .card(rank: 2, token: .sample("token-1111"))
            )
        }
        Self.swapped.when(.attempt(.card(.token(.sample("token-3333")))))
            .then(rejected: .cardNotOffered)
        let opened = Opened.sample(preferences: [.card(.token(.sample("token-3333")))])
        let ready = payment().ready(Self.cards("1111"), opened: opened)
        #expect(ready.state.payment?.attempt == nil)
        #expect(ready.state.problem?.problem.kind == .methodNotAvailable)
        let alike = SeenCard(maskedPan: "476173******1111")
        payment().ready(Self.cards("1111", "1111")).when(.attempt(.card(.seen(alike))))
            .then(rejected: .cardAmbiguous(ranks: [1, 2]))
    }
}
