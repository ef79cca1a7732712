import Adapters
import EventLog
import Foundation
import Sandbox
import SwedbankPay
import TestSupport
import Testing
import Workflow

/// Apple Pay and Google Pay over HTTP.
@Suite struct WalletFlowTests {
    static let wallets: [AttemptRequest] = [
        .applePay(merchantIdentifier: "merchant.example.shop"), .googlePay,
    ]

    var order: SandboxOrder {
        SandboxOrder(
            payerReference: "payer-1",
            scenario: Scenario(
                methods: ["Swish", "CreditCard", "ApplePay", "GooglePay"],
                savedCards: ["4925000000000004"]
            )
        )
    }

    @Test(.feature("N-25"), arguments: wallets.indices)
    func `a wallet's payload is accepted by the PSP and completes the payment`(
        wallet: Int
    )
        async throws
    {
        try await Flow.run(order) { flow in
            try await flow.attempt(Self.wallets[wallet])
            let request = try #require(try await flow.actionMember("request"))
            guard case .object(let members) = request else {
                Issue.record("the request is no object")
                return
            }
            #expect(members.contains { if case .array = $0.value { true } else { false } })
            #expect(members.contains { $0.value == .string("100.00") })
            try await flow.report(.authorized(payload: #"{"data":"opaque","version":"EC_v1"}"#))
            let paid = try await flow.ended()
            #expect(paid.outcome == .completed)
            #expect(paid.actions.last?.verdict == .accepted)
            #expect(await flow.requests("attempt-payload") == 1)
        }
    }

    @Test(
        .feature("N-47"),
        arguments: wallets.indices,
        [ClientReport.canceled, .failed(error: "no card in it")]
    )
    func `a wallet that is canceled or fails ends its attempt, and another attempt can pay`(
        wallet: Int,
        response: ClientReport
    ) async throws {
        try await Flow.run(order) { flow in
            try await flow.attempt(Self.wallets[wallet])
            let state = try await flow.report(response)
            #expect(state.problem?.problem.origin == .session)
            #expect(state.payment?.attempt == nil)
            #expect(await flow.requests("fail-payment-attempt") == 1)
            #expect(await flow.requests("acknowledge-failed-attempt") == 1)
            try await flow.engine.attempt(flow.session, with: .card(rank: 1))
            #expect(try await flow.ended().outcome == .completed)
        }
    }

    @Test(.feature("N-26")) func `3-D Secure may follow Google Pay`() async throws {
        var order = order
        order.scenario.authenticatesWallets = true
        try await Flow.run(order) { flow in
            try await flow.attempt(.googlePay)
            var state = try await flow.report(.authorized(payload: "{}"))
            for _ in 1...3 where state.outcome == nil {
                guard let action = state.openActions.first else { break }
                if case .load3DSMethod = action.kind {
                    state = try await flow.report(.done)
                } else {
                    let cRes = try await flow.passChallenge()
                    state = try await flow.report(.challengeCompleted(cRes: cRes))
                }
            }
            #expect(try await flow.ended().outcome == .completed)
            #expect(await flow.requests("create-authentication") == 1)
        }
    }

    @Test(arguments: [true, false])
    func `F-20: after a lost response the token is sent again only if it did not arrive`(
        took: Bool
    ) async throws {
        var order = order
        order.scenario.faults = [Fault(rel: "attempt-payload", kind: .reset, takesEffect: took)]
        try await Flow.run(order) { flow in
            try await flow.attempt(.googlePay)
            try await flow.report(.authorized(payload: "{}"))
            #expect(try await flow.ended().outcome == .completed)
            #expect(await flow.requests("attempt-payload") == (took ? 1 : 2))
            #expect(await flow.requests("fail-payment-attempt") == 0)
        }
    }
}
