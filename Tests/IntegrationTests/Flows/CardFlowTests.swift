import Adapters
import Sandbox
import SwedbankPay
import TestSupport
import Testing

/// Saved cards over real HTTP: frictionless, with the 3-D Secure method, with a challenge, and
/// their failures.
@Suite struct CardFlowTests {
    func order(_ card: String) -> SandboxOrder {
        var order = SandboxOrder(payerReference: "payer-1")
        order.scenario.savedCards = [card]
        return order
    }

    @Test(.feature("N-41")) func `a saved card is paid without a challenge`() async throws {
        try await Flow.run(order("4925000000000004")) { flow in
            try await flow.engine.attempt(flow.session, with: .card(rank: 1))
            let paid = try await flow.ended()
            #expect(paid.outcome == .completed)
            #expect(paid.actions.isEmpty)
        }
    }

    @Test(.feature("N-15"), .duty("C-20"), arguments: [ClientReport.done, .failed(error: nil)])
    func `a challenge follows the 3-D Secure method call, whether it succeeded or failed`(
        response: ClientReport
    )
        async throws
    {
        try await Flow.run(order("4761739001010416")) { flow in
            try await flow.attempt(.card(rank: 1))
            try await flow.report(response)
            let cRes = try await flow.passChallenge()
            try await flow.report(.challengeCompleted(cRes: cRes))
            #expect(try await flow.ended().outcome == .completed)
        }
    }

    @Test(.feature("N-17"))
    func `F-16: a challenge that did not load is shown again on retry`() async throws {
        try await Flow.run(order("4761739001010416")) { flow in
            try await flow.attempt(.card(rank: 1))
            try await flow.report(.done)
            let failed = try await flow.report(.failed(error: "timeout"))
            #expect(failed.problem?.problem.kind == .threeDSLoadFailed)
            try await flow.engine.retry(flow.session)
            _ = try await flow.settled()
            let cRes = try await flow.passChallenge()
            try await flow.report(.challengeCompleted(cRes: cRes))
            #expect(try await flow.ended().outcome == .completed)
        }
    }

    @Test(.feature("N-46"))
    func `F-16: a challenge that the payer closed is reported to the PSP, which ends the attempt`()
        async throws
    {
        try await Flow.run(order("4761739001010416")) { flow in
            try await flow.attempt(.card(rank: 1))
            try await flow.report(.done)
            let closed = try await flow.report(.canceled)
            #expect(closed.problem?.problem.origin == .session)
            #expect(closed.problem?.problem.type?.hasSuffix("3dsecureusercancelled") == true)
            #expect(closed.payment?.attempt == nil)
            #expect(await flow.requests("fail-payment-attempt") == 1)
            #expect(await flow.requests("complete-authentication") == 0)
            #expect(await flow.attempts.map(\.state) == [.failed])
            try await flow.engine.abort(flow.session)
            #expect(try await flow.ended().outcome == .canceled)
        }
    }

    @Test func `a declined challenge is a problem of the session, which can then be aborted`()
        async throws
    {
        try await Flow.run(order("4761739001010416")) { flow in
            try await flow.attempt(.card(rank: 1))
            try await flow.report(.done)
            let cRes = try await flow.passChallenge("cancel")
            let state = try await flow.report(.challengeCompleted(cRes: cRes))
            #expect(state.problem?.problem.origin == .session)
            #expect(state.payment?.attempt == nil)
            try await flow.engine.abort(flow.session)
            #expect(try await flow.ended().outcome == .canceled)
        }
    }
}
