import Adapters
import EventLog
import Sandbox
import SwedbankPay
import TestSupport
import Testing

/// The PSP's own page over HTTP: new cards, Click to Pay, menus, web-based methods.
@Suite struct PageFlowTests {
    static let methods = [
        "Swish", "CreditCard", "ClickToPay", "Trustly", "Invoice-PayExFinancingSe",
    ]

    func order(purpose: SandboxOrder.Purpose = .purchase) -> SandboxOrder {
        var order = SandboxOrder(
            payerReference: "payer-1",
            scenario: Scenario(methods: Self.methods, savedCards: ["4925000000000004"])
        )
        order.purpose = purpose
        if purpose == .verify {
            order.amount = 0
            order.vatAmount = 0
            order.scenario.methods = ["CreditCard", "Trustly"]
        }
        return order
    }

    @Test(.feature("N-19"), arguments: [true, false])
    func `a new card is paid on the PSP's page, with and without the consent checkbox`(
        consent: Bool
    )
        async throws
    {
        try await Flow.run(order()) { flow in
            try await flow.attempt(.newCard(showsConsent: consent))
            #expect(try await flow.actionMember("mode") == .string("instrument"))
            #expect(try await flow.actionMember("baseURL") == .string("https://shop.example/"))
            #expect(await flow.requests("customize-payment") == 1)
            try await flow.onPage("pay", method: "CreditCard")
            try await flow.report(.completed)
            #expect(try await flow.ended().outcome == .completed)
            // The page handles card data and 3-D Secure: nothing was started natively.
            #expect(await flow.requests("start-payment-attempt") == 0)
        }
    }

    @Test(.feature("N-48")) func `Click to Pay is paid on the page`() async throws {
        try await Flow.run(order()) { flow in
            let state = try await flow.attempt(.clickToPay)
            #expect(state.payment?.snapshot?.instrumentMode == .clickToPay)
            try await flow.onPage("pay", method: "ClickToPay")
            // Without any report the end of the payment is still detected.
            #expect(try await flow.ended().outcome == .completed)
        }
    }

    @Test(
        .feature("N-36"),
        arguments: [
            (MenuMode.menu, 0, 5),
            (.restricted([.swish, PaymentMethodName(rawValue: "Trustly")]), 1, 2),
            (.instrument(PaymentMethodName(rawValue: "Invoice-PayExFinancingSe")), 1, 1),
        ]
    )
    func `the menu shows all methods, some or one`(
        mode: MenuMode,
        customized: Int,
        shown: Int
    )
        async throws
    {
        try await Flow.run(order()) { flow in
            try await flow.engine.menu(flow.session, showing: mode)
            let state = try await flow.settled()
            #expect(state.openActions.count == 1)
            #expect(state.payment?.snapshot?.methods.count == shown)
            #expect(await flow.requests("customize-payment") == customized)
            try await flow.onPage("cancel", method: "Trustly")
            try await flow.report(.canceled)
            #expect(try await flow.ended().outcome == .canceled)
        }
    }

    @Test(.feature("N-40"))
    func `a native attempt after the page lifts the page's restriction and pays`() async throws {
        var order = order()
        order.scenario.swishApproval = .after(.milliseconds(100))
        try await Flow.run(order) { flow in
            try await flow.engine.menu(
                flow.session,
                showing: .instrument(PaymentMethodName(rawValue: "Trustly"))
            )
            _ = try await flow.settled()
            try await flow.engine.attempt(
                flow.session,
                with: .swish(msisdn: MSISDN("+46739000001"))
            )
            let paid = try await flow.ended()
            #expect(paid.outcome == .completed)
            #expect(await flow.requests("customize-payment") == 2)
            #expect(await flow.attempts.count == 1)
        }
    }

    @Test func `F-23: a saved card can pay after the page for a new card was shown`() async throws {
        try await Flow.run(order()) { flow in
            try await flow.attempt(.newCard(showsConsent: true))
            try await flow.engine.attempt(flow.session, with: .card(rank: 1))
            #expect(try await flow.ended().outcome == .completed)
            #expect(await flow.requests("customize-payment") == 2)
        }
    }

    @Test(.feature("N-49"))
    func `F-32: after the page failed, another instrument can pay`() async throws {
        try await Flow.run(order()) { flow in
            try await flow.engine.menu(flow.session)
            _ = try await flow.settled()
            let state = try await flow.report(.failed(error: "the script did not load"))
            #expect(state.outcome == nil)
            #expect(state.problem?.problem.kind == .menuFailed)
            try await flow.engine.attempt(flow.session, with: .card(rank: 1))
            #expect(try await flow.ended().outcome == .completed)
        }
    }

    @Test func `F-04: customize-payment that the PSP ignores is sent twice and ends in a problem`()
        async throws
    {
        var order = order()
        order.scenario.customizing = .ignored
        try await Flow.run(order) { flow in
            try await flow.engine.menu(
                flow.session,
                showing: .instrument(PaymentMethodName(rawValue: "Trustly"))
            )
            let state = try await flow.settled()
            #expect(state.problem?.problem.kind == .methodNotAvailable)
            #expect(await flow.requests("customize-payment") == 2)
        }
    }

    @Test func `F-21: without customize-payment a new card is unavailable, and no attempt starts`()
        async throws
    {
        var order = order()
        order.scenario.customizing = .absent
        try await Flow.run(order) { flow in
            let state = try await flow.attempt(.newCard(showsConsent: true))
            #expect(state.problem?.problem.kind == .methodNotAvailable)
            #expect(await flow.attempts.isEmpty)
        }
    }

    @Test(.feature("N-22"))
    func `an order that verifies a card completes on the page and charges nothing`() async throws {
        try await Flow.run(order(purpose: .verify)) { flow in
            try await flow.attempt(.newCard(showsConsent: false))
            try await flow.onPage("pay", method: "CreditCard")
            try await flow.report(.completed)
            #expect(try await flow.ended().outcome == .completed)
            let ledger = await flow.sandbox.orderLedger(flow.order.id)
            #expect(ledger?.authorizedAmount == 0)
        }
    }

    @Test func `a new card as preferred instrument opens the page by itself`()
        async throws
    {
        try await Flow.run(order(), preferences: [.newCard(showsConsent: true)]) { flow in
            let state = try await flow.settled()
            #expect(state.payment?.attempt?.choice == .newCard(showsConsent: true))
            #expect(state.openActions.count == 1)
        }
    }

    @Test func `a decline on the page is no problem of the session, which can still be aborted`()
        async throws
    {
        try await Flow.run(order()) { flow in
            try await flow.engine.menu(flow.session)
            _ = try await flow.settled()
            try await flow.onPage("decline", method: "CreditCard")
            let state = try await flow.settled()
            #expect(state.openActions.count == 1)
            #expect(state.problem == nil)
            try await flow.engine.abort(flow.session)
            #expect(try await flow.ended().outcome == .canceled)
        }
    }
}
