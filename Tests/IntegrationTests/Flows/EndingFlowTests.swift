import Adapters
import EventLog
import Sandbox
import SwedbankPay
import TestSupport
import Testing
import Workflow

/// Failed launches, returns, aborts, choices made in advance, and ends caused elsewhere.
@Suite struct EndingFlowTests {
    @Test(.feature("N-12"))
    func `a failed app launch is reported to the PSP, and the payer can choose again`()
        async throws
    {
        try await Flow.run { flow in
            try await flow.attempt(.swish(msisdn: nil))
            let state = try await flow.report(.launchFailed)
            #expect(
                state.problem?.problem.type?.lowercased().hasSuffix("clientapplaunchfailed") == true
            )
            #expect(state.payment?.attempt == nil)
            #expect(await flow.requests("fail-payment-attempt") == 1)
            #expect(await flow.requests("acknowledge-failed-attempt") == 1)
        }
    }

    @Test(.feature("N-10"))
    func `Swish on another device is polled until it is paid`() async throws {
        var order = SandboxOrder()
        order.scenario.swishApproval = .after(.milliseconds(100))
        try await Flow.run(order) { flow in
            try await flow.engine.attempt(
                flow.session,
                with: .swish(msisdn: MSISDN("+46739000001"))
            )
            #expect(try await flow.ended().outcome == .completed)
        }
    }

    @Test(
        .feature("N-42"),
        arguments: [
            "https://shop.example/pay", "https://shop.example/pay?swp_ut=1",
            "https://shop.example/pay?fallback=true", "myshop://shop.example/pay",
        ]
    )
    func `a return is accepted in each form of the payment URL`(address: String) async throws {
        try await Flow.run(callbackScheme: "myshop") { flow in
            try await flow.attempt(.swish(msisdn: nil))
            let action = try #require(
                try await flow.engine.state(of: flow.session).openActions.first
            )
            let secrets = try await flow.engine.secrets(of: flow.session)
            try await flow.sandbox.approveSwish(try #require(action.link(from: secrets)))
            try await flow.engine.returned(flow.session, with: address)
            #expect(try await flow.ended().outcome == .completed)
        }
    }

    @Test func `a return with a URL other than the payment URL is rejected`() async throws {
        try await Flow.run(callbackScheme: "myshop") { flow in
            for address in ["https://shop.example/other", "theirs://shop.example/pay", ""] {
                await #expect(throws: EngineError.self) {
                    try await flow.engine.returned(flow.session, with: address)
                }
            }
        }
    }

    @Test(.feature("N-50"))
    func `a payment continues when the PSP refuses to abort it during an attempt`() async throws {
        var order = SandboxOrder()
        order.scenario.abort = .refused
        order.scenario.swishApproval = .after(.seconds(1))
        try await Flow.run(order) { flow in
            try await flow.engine.attempt(
                flow.session,
                with: .swish(msisdn: MSISDN("+46739000001"))
            )
            try await flow.engine.abort(flow.session)
            let paid = try await flow.ended()
            #expect(paid.outcome == .completed)
            #expect(await flow.requests("abort-payment") == 1)
        }
    }

    @Test(.feature("N-50"))
    func `F-22: an abort that the PSP does not offer ends in the problem abortNotAllowed`()
        async throws
    {
        var order = SandboxOrder()
        order.scenario.abort = .absent
        try await Flow.run(order) { flow in
            try await flow.engine.abort(flow.session)
            let state = try await flow.settled()
            #expect(state.problem?.problem.kind == .abortNotAllowed)
            #expect(state.outcome == nil)
        }
    }

    @Test(.feature("N-43"))
    func `a preferred instrument pays by itself, or methodNotAvailable says it is not offered`()
        async throws
    {
        var order = SandboxOrder()
        order.scenario.swishApproval = .after(.milliseconds(100))
        try await Flow.run(order, preferences: [.swish(msisdn: MSISDN("+46739000001"))]) { flow in
            let paid = try await flow.ended()
            #expect(paid.outcome == .completed)
        }
        try await Flow.run(preferences: [.googlePay]) { flow in
            let state = try await flow.settled()
            let problem = try #require(state.problem?.problem)
            #expect(problem.kind == .methodNotAvailable)
            #expect(problem.code == "not-offered" && problem.title == nil)
            #expect(!state.offers.isEmpty)
            #expect(await flow.attempts.isEmpty)
        }
    }

    @Test(.feature("N-34"))
    func `a session that was paid elsewhere ends as completed, without an attempt here`()
        async throws
    {
        try await Flow.run { flow in
            try await flow.onPage("pay", method: "Trustly")
            try await flow.engine.attempt(flow.session, with: .swish(msisdn: nil))
            #expect(try await flow.ended().outcome == .completed)
            #expect(await flow.requests("start-payment-attempt") == 0)
        }
    }

    @Test(.feature("N-33"))
    func `a session redirected to an unknown URL ends as failed, neither paid nor canceled`()
        async throws
    {
        let elsewhere = """
            {"paymentSession": {"methods": [], "urls": {"completeUrl": "{{completeUrl}}",
            "cancelUrl": "{{cancelUrl}}"}}, "operations": [{"rel": "redirect-payer",
            "method": "GET", "href": "https://elsewhere.example/secret", "next": true}]}
            """
        var order = SandboxOrder()
        order.scenario.script = Script(
            ["expand-method": [Step(.literal(LiteralResponse(body: elsewhere)))]]
        )
        try await Flow.run(order) { flow in
            try await flow.engine.attempt(flow.session, with: .swish(msisdn: nil))
            let state = try await flow.ended()
            #expect(state.outcome == .failed)
            #expect(state.problem?.problem.kind == .endReached)
        }
    }

    @Test(.feature("N-35"))
    func `a session without a cancel URL ends with the problem configurationFailed`() async throws {
        var order = SandboxOrder()
        order.urls.cancelURL = nil
        try await Flow.run(order) { flow in
            let state = try await flow.ended()
            #expect(state.outcome == .failed)
            #expect(state.problem?.problem.kind == .configurationFailed)
        }
    }

    @Test(.feature("O-25"))
    func `F-30: two sessions of one engine do not affect each other`() async throws {
        var paying = SandboxOrder()
        paying.scenario.swishApproval = .after(.milliseconds(300))
        try await Flow.run(paying) { flow in
            let other = try await flow.sandbox.createOrder(SandboxOrder())
            let second = try await flow.engine.open(
                other.sessionURL,
                allowsInsecureLoopback: true
            )
            _ = try await flow.running.settled(second)
            try await flow.engine.attempt(
                flow.session,
                with: .swish(msisdn: MSISDN("+46739000001"))
            )
            try await flow.engine.abort(second)
            let canceled = try await flow.running.settled(second, ended: true)
            let paid = try await flow.ended()
            #expect(canceled.outcome == .canceled)
            #expect(paid.outcome == .completed)
            #expect(canceled.attemptCount == 0)
        }
    }
}
