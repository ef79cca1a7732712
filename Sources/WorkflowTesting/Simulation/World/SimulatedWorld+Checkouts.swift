public import EventLog
public import SwedbankPay

/// Checkouts: orders that the engine creates, pages on which payers pay, calls of the PSP, captures.
extension SimulatedWorld {
    /// Takes in a checkout whose payer behaves like this.
    ///
    /// - Parameters:
    ///   - payer: Whether the payer pays on the PSP's page.
    ///   - instrument: The method that the order is locked to, if any.
    ///   - pause: How long after now.
    @discardableResult
    public mutating func openCheckout(
        payer: SimulatedProvider.Payer,
        lockedTo instrument: PaymentMethodName? = nil,
        after pause: Duration = .zero
    ) -> SessionID {
        let session = SessionID(at: now, random: (generator.next(), generator.next()))
        provider.createCheckout(session, payer: payer)
        let opened = CheckoutOpened(
            gateway: .psp,
            root: provider.secrets.seal("root"),
            host: Self.host,
            document: provider.secrets.seal("order-\(session)"),
            terms: OrderTerms(
                currency: "SEK",
                amount: SimulatedProvider.Checkout.amount,
                language: "sv-SE",
                instrument: instrument,
                urls: OrderURLs(
                    complete: "https://shop.example/complete",
                    cancel: "https://shop.example/cancel",
                    payment: "https://shop.example/pay",
                    hosts: ["https://shop.example/"]
                )
            ),
            payeeReference: "REF\(residents.count)",
            consumer: nil,
            presents: true,
            userAgent: "simulated"
        )
        let number = settle(session)
        agenda.add(
            .client(number, .command(.checkout(.open(opened))), tries: 1),
            at: now + pause,
            anyNode(),
            life: nil
        )
        return session
    }

    /// The payer has the PSP's page on the screen, and pays or doesn't.
    mutating func planPayment(of number: Int, _ state: SessionState) {
        guard state.checkout != nil, !residents[number].isPaying,
            state.actions.contains(where: { $0.isOpen && $0.isPage })
        else { return }
        residents[number].isPaying = true
        agenda.add(.pay(number), at: now + pause(500...15_000), 0, life: nil)
    }

    /// The payer pays; the PSP calls the merchant: in time, late, twice or never.
    mutating func pay(_ number: Int) {
        residents[number].isPaying = false
        guard provider.payOnPage(residents[number].id) else { return }
        note(.requestArrives, node: nil, number, "the payer pays on the page")
        checkMoney(number)
        guard !chance(faults.reportNever) else { return }
        let received = CallbackReceived(digest: HashChain.hash(.zero, [UInt8(number & 255)]))
        let isLate = chance(faults.reportLate)
        for _ in 0..<(chance(faults.reportTwice) ? 2 : 1) {
            agenda.add(
                .client(number, .command(.callback(received)), tries: 1),
                at: now + pause(isLate ? 5000...600_000 : 50...3000),
                anyNode(),
                life: nil
            )
        }
    }

    /// The books of the PSP for a checkout: one payment, and each transaction once.
    mutating func checkMoney(of checkout: SimulatedProvider.Checkout, _ session: SessionID) {
        if checkout.payments > 1 {
            violation(.noDoublePay, "\(session) paid \(checkout.payments) times")
        }
        let references = checkout.transactions.map(\.reference)
        if Set(references).count < references.count {
            violation(.noDoublePay, "a transaction of \(session) was done twice")
        }
    }
}

extension ClientAction {
    /// Whether it shows the PSP's page.
    fileprivate var isPage: Bool { if case .showMenu = kind { true } else { false } }
}
