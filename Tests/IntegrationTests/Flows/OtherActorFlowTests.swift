import EventLog
import Sandbox
import SwedbankPay
import Testing
import Workflow

/// Payments on whose money another party acts: the engine's statements are compared with the PSP's
/// ledger.
@Suite struct OtherActorFlowTests {
    /// An order whose payer decides in Swish, or does not.
    private func byPayer(_ faults: Fault...) -> SandboxOrder {
        SandboxOrder(
            payerReference: "payer-1",
            scenario: Scenario(
                savedCards: ["4925000000000004", "5226612199533406"],
                swishApproval: .byPayer,
                faults: faults
            )
        )
    }

    @Test func `a payment on another device is found before an instrument is chosen here`()
        async throws
    {
        try await Flow.run(byPayer()) { flow in
            try await flow.expectMoneyTold(.intended)
            try await flow.act(.devicePays(method: "Swish"))
            try await flow.engine.refetch(flow.session)
            #expect(try await flow.ended().outcome == .completed)
            try await flow.expectMoneyTold(.confirmed)
        }
    }

    @Test func `money is reported as under way while another device has an attempt under way`()
        async throws
    {
        try await Flow.run(byPayer()) { flow in
            try await flow.act(
                .deviceStarts(method: "CreditCard", card: "5226612199533406")
            )
            try await flow.engine.refetch(flow.session)
            _ = try await flow.settled()
            try await flow.expectMoneyTold(.underWay)
            try await flow.act(.devicePays())
            try await flow.engine.refetch(flow.session)
            #expect(try await flow.ended().outcome == .completed)
            try await flow.expectMoneyTold(.confirmed)
        }
    }

    @Test func `a payment on another device between choice and start prevents a second attempt`()
        async throws
    {
        let act = Fault(
            rel: "expand-method",
            kind: .act(.devicePays(method: "Swish"), isFirst: false)
        )
        try await Flow.run(byPayer(act)) { flow in
            try await flow.engine.attempt(flow.session, with: .card(rank: 1))
            #expect(try await flow.ended().outcome == .completed)
            try await flow.expectMoneyTold(.confirmed)
            #expect(await flow.attempts.map(\.startedBy) == [.otherDevice])
        }
    }

    @Test func `an attempt whose app is open here is completed when another device pays it`()
        async throws
    {
        try await Flow.run(byPayer()) { flow in
            try await flow.attempt(.swish(msisdn: nil))
            try await flow.expectMoneyTold(.underWay)
            try await flow.act(.devicePays())
            try await flow.report(.launched)
            #expect(try await flow.ended().outcome == .completed)
            try await flow.expectMoneyTold(.confirmed)
        }
    }

    @Test func `an order aborted in the portal during an attempt ends as canceled, without money`()
        async throws
    {
        try await Flow.run(byPayer()) { flow in
            try await flow.attempt(.swish(msisdn: nil))
            try await flow.act(.portalAborts)
            try await flow.engine.refetch(flow.session)
            #expect(try await flow.ended().outcome == .canceled)
            try await flow.expectMoneyTold(MoneyState.Standing.none)
        }
    }

    @Test(arguments: [400, 403, 422])
    func `a refused start that takes effect later is reported as under way or unknown, then paid`(
        _ status: Int
    ) async throws {
        let fault = Fault(
            rel: "start-payment-attempt",
            kind: .status(status),
            lateEffect: .afterReads(1)
        )
        try await Flow.run(byPayer(fault)) { flow in
            try await flow.engine.attempt(
                flow.session,
                with: .swish(msisdn: MSISDN("+46739000001"))
            )
            // Until the session, and with it the refused start, has been read once.
            for _ in 1...100 where await flow.attempts.isEmpty {
                try await flow.engine.refetch(flow.session)
                try await Task.sleep(for: .milliseconds(50))
            }
            #expect(await flow.attempts.map(\.state) == [.running])
            try await flow.engine.refetch(flow.session)
            let doubtful: Set<MoneyState.Standing> = [.underWay, .unknown]
            _ = try await flow.until { doubtful.contains($0.money.standing) }
            try await flow.expectMoneyTold()
            try await flow.act(.devicePays())
            try await flow.engine.refetch(flow.session)
            #expect(try await flow.ended().outcome == .completed)
            try await flow.expectMoneyTold(.confirmed)
        }
    }

    @Test(arguments: [400, 403, 422])
    func `a refused authentication that still takes effect is reported as paid`(
        _ status: Int
    ) async throws {
        let fault = Fault(
            rel: "complete-authentication",
            kind: .status(status),
            takesEffect: true
        )
        try await Flow.run(byPayer(fault)) { flow in
            try await flow.attempt(.card(rank: 2))
            let response = try await flow.passChallenge()
            _ = try await flow.report(.challengeCompleted(cRes: response))
            try await flow.expectMoneyTold()
            try await flow.engine.refetch(flow.session)
            #expect(try await flow.ended().outcome == .completed)
            try await flow.expectMoneyTold(.confirmed)
        }
    }

    @Test func `a response about another order does not end the session`() async throws {
        let foreign = Fault(rel: "session", requests: .nth(2), kind: .foreign([.id, .completeURL]))
        try await Flow.run(byPayer(foreign)) { flow in
            try await flow.engine.refetch(flow.session)
            _ = try await flow.settled()
            try await flow.expectMoneyTold()
            let state = try await flow.engine.state(of: flow.session)
            #expect(state.outcome == nil)
        }
    }
}

/// Checkouts whose money is changed in the portal or by the payment method.
@Suite struct OtherActorCheckoutTests {
    /// Reads the order again and expects that the engine agrees with the PSP's ledger.
    private func expectMoneyTold(
        _ flow: CheckoutFlow,
        _ session: SessionID,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let state = try await flow.callback(session)
        MoneyAgreement.expect(
            state,
            try await flow.ledger(of: state),
            standing: .confirmed,
            sourceLocation: sourceLocation
        )
    }

    private func paid(_ flow: CheckoutFlow, _ method: String) async throws -> SessionState {
        let shown = try await flow.open(try CheckoutFlow.order())
        try await flow.elsewhere(shown, "as=paid&method=\(method)")
        let paid = try await flow.callback(shown.session)
        #expect(paid.outcome == .completed)
        MoneyAgreement.expect(paid, try await flow.ledger(of: paid), standing: .confirmed)
        return paid
    }

    @Test
    func `partial captures, reversals and cancellations in the portal are reported correctly`()
        async throws
    {
        try await CheckoutFlow.run { flow in
            let paid = try await paid(flow, "CreditCard")
            let acts: [Act] = [
                .portalCaptures(amount: 6_000), .portalReverses(amount: 1_500), .portalCancels,
                .portalReverses(),
            ]
            for act in acts {
                try await flow.sandbox.carryOut(act, order: flow.id(of: paid))
                try await expectMoneyTold(flow, paid.session)
            }
            try await flow.checkLog(of: paid.session)
        }
    }

    @Test func `a partial and then a full reversal by the payment method are reported correctly`()
        async throws
    {
        try await CheckoutFlow.run { flow in
            let paid = try await paid(flow, "Swish")
            try await flow.sandbox.carryOut(
                .methodReverses(amount: 4_000),
                order: flow.id(of: paid)
            )
            try await expectMoneyTold(flow, paid.session)
            try await flow.sandbox.carryOut(.methodReverses(), order: flow.id(of: paid))
            try await expectMoneyTold(flow, paid.session)
            #expect(try await flow.ledger(of: paid).status == "Reversed")
            try await flow.checkLog(of: paid.session)
        }
    }

    @Test func `an amount changed during an attempt is not reported as the paid amount`()
        async throws
    {
        try await CheckoutFlow.run { flow in
            let shown = try await flow.open(try CheckoutFlow.order())
            let order = flow.id(of: shown)
            try await flow.sandbox.carryOut(.deviceStarts(method: "CreditCard"), order: order)
            try await flow.sandbox.carryOut(.portalChangesAmount(to: 7_500), order: order)
            try await flow.sandbox.carryOut(.devicePays(), order: order)
            let state = try await flow.callback(shown.session)
            let faults = MoneyAgreement.faults(
                of: state.money,
                with: try await flow.ledger(of: state)
            )
            #expect(faults == [])
        }
    }
}
