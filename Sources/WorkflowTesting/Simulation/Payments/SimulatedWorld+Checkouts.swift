public import EventLog
public import SwedbankPay

/// Checkouts: orders that the engine creates, pages on which payers pay, callbacks of the PSP,
/// captures.
extension SimulatedWorld where Scenario == PaymentScenario {
    /// Opens a checkout whose payer behaves like this.
    ///
    /// - Parameters:
    ///   - payer: Whether the payer pays on the PSP's page; of a charge, whether the bank performs
    ///     it at once, declines it, or performs it later.
    ///   - purpose: The order's purpose: `Recur` charges a stored token without the payer.
    ///   - instrument: The method that the order is locked to, if any.
    ///   - pause: The time until the checkout is opened.
    /// - Returns: The session.
    @discardableResult
    public mutating func openCheckout(
        payer: SimulatedProvider.Payer,
        purpose: PaymentOrderPurpose = .purchase,
        lockedTo instrument: PaymentMethodName? = nil,
        after pause: Duration = .zero
    ) -> SessionID {
        open(after: pause) { scenario, session, number in
            scenario.provider.createCheckout(
                session,
                payer: payer,
                isCharge: purpose.chargesToken
            )
            let opened = CheckoutOpened(
                gateway: .psp,
                root: scenario.secrets.seal("root"),
                host: scenario.host,
                document: scenario.secrets.seal("order-\(session)"),
                terms: OrderTerms(
                    purpose: purpose.rawValue,
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
                payeeReference: "REF\(number)",
                consumer: nil,
                presents: !purpose.chargesToken,
                userAgent: "simulated"
            )
            return .command(.checkout(.open(opened)))
        }
    }

    /// Plans the payment once the PSP's page is on the payer's screen, or what the bank does with a
    /// charge.
    mutating func planPayment(of number: Int, _ state: SessionState) {
        if let checkout = scenario.provider.checkouts[state.session], checkout.isCharge {
            guard checkout.stage == .open, scenario.files[state.session]?.isPaying != true
            else { return }
            scenario.files[state.session, default: PaymentScenario.File()].isPaying = true
            let pays = chance(700)
            return plan(
                .elsewhere(.finishes(pays: pays)),
                for: number,
                after: pause(1000...900_000)
            )
        }
        guard state.checkout != nil, scenario.files[state.session]?.isPaying != true,
            state.actions.contains(where: { $0.isOpen && $0.isPage })
        else { return }
        scenario.files[state.session, default: PaymentScenario.File()].isPaying = true
        plan(.payment, for: number, after: pause(500...15_000))
    }

    /// The payer pays, and the PSP's callback arrives in time, late, twice or never.
    mutating func pay(_ number: Int) {
        scenario.files[residents[number].id]?.isPaying = false
        guard scenario.provider.payOnPage(residents[number].id) else { return }
        note(.requestArrives, node: nil, number, "the payer pays on the page")
        checkEffects(number)
        guard !chance(faults.reportNever) else { return }
        let received = CallbackReceived(digest: HashChain.hash(.zero, [UInt8(number & 255)]))
        let isLate = chance(faults.reportLate)
        for _ in 0..<(chance(faults.reportTwice) ? 2 : 1) {
            let pause = pause(isLate ? 5000...600_000 : 50...3000)
            give(.command(.callback(received)), of: number, after: pause)
        }
    }
}

extension ClientAction {
    /// Whether it shows the PSP's page.
    fileprivate var isPage: Bool { if case .showMenu = kind { true } else { false } }
}
