import HTTPTypes
import SwedbankPay
import TestSupport
import Testing

@testable import Adapters

@Suite struct RequestTests {
    private func perform(
        _ request: ProviderRequest,
        loopback: Bool = false
    ) async -> (
        ProviderResponse.Outcome, [TransportRequest]
    ) {
        let transport = ScriptedTransport(status: 204)
        var options = SwedbankPayOptions()
        options.allowsInsecureLoopback = loopback
        let response = await SwedbankPayProvider(transport: transport, options: options)
            .perform(request)
        return (response.outcome, transport.asked)
    }

    @Test func `a read sends no body, and its headers accept and declare JSON`() async throws {
        let (outcome, asked) = await perform(try RequestBench().request(.getPayment))
        let call = try #require(asked.first)
        #expect(outcome == .empty(status: 204))
        #expect(call.method == .get && call.body == nil)
        #expect(
            call.headers.map(\.description)
                == ["Accept: application/json", "Content-Type: application/json"]
        )
    }

    @Test func `an operation without a body is sent as a POST with an empty body`() async throws {
        for rel in [Rel.abortPayment, .acknowledgeFailedAttempt] {
            let (_, asked) = await perform(try RequestBench().request(rel))
            #expect(asked.first?.method == .post && asked.first?.body == [])
        }
    }

    @Test(arguments: ["DELETE", "PATCH", "get-payment", ""])
    func `an operation with a method other than GET or POST is not sent`(
        method: String
    ) async throws {
        let (outcome, asked) = await perform(
            try RequestBench().request(.getPayment, method: method)
        )
        #expect(
            outcome
                == .failed(
                    reach: .notSent,
                    code: "session.unsupported-method",
                    isTransient: false
                )
        )
        #expect(asked.isEmpty)
    }

    @Test func `a body is never sent with GET`() async throws {
        let (outcome, asked) = await perform(
            try RequestBench().request(.preparePayment, .environment, method: "GET")
        )
        #expect(
            outcome
                == .failed(
                    reach: .notSent,
                    code: "session.unsupported-method",
                    isTransient: false
                )
        )
        #expect(asked.isEmpty)
    }

    @Test func `the PSP's method is followed in either letter case`() async throws {
        let (_, asked) = await perform(try RequestBench().request(.getPayment, method: "post"))
        #expect(asked.first?.method == .post)
    }

    @Test(.duty("C-11"))
    func `plain http links are called over https, and other schemes not at all`() async throws {
        let bench = try RequestBench()
        let (_, asked) = await perform(
            bench.request(.getPayment, address: "HTTP://api.payex.com:80/x?y")
        )
        #expect(asked.first?.url == "https://api.payex.com/x?y")
        let (outcome, none) = await perform(bench.request(.getPayment, address: "swish://x"))
        #expect(
            outcome
                == .failed(
                    reach: .notSent,
                    code: "session.unsupported-address",
                    isTransient: false
                )
        )
        #expect(none.isEmpty)
        let (_, local) = await perform(
            bench.request(.getPayment, address: "http://127.0.0.1:1/x"),
            loopback: true
        )
        #expect(local.first?.url == "http://127.0.0.1:1/x")
    }

    @Test func `nothing is sent when a sealed value is missing`() async throws {
        var other = try RequestBench()
        let token = other.seal("tok")
        let (outcome, asked) = await perform(
            try RequestBench().request(.startPaymentAttempt, .cardAttempt(token: token))
        )
        #expect(
            outcome
                == .failed(reach: .notSent, code: "session.secret-missing", isTransient: false)
        )
        #expect(asked.isEmpty)
    }

    @Test func `requests that involve the issuer or a wallet payload get a longer deadline`()
        async throws
    {
        var bench = try RequestBench()
        let secret = bench.seal("x")
        let long: [OperationBody] = [
            .cardAttempt(token: secret),
            .authentication(indicator: .completed, notificationURL: secret),
            .challengeResult(cRes: secret), .walletPayload(method: .applePay, payload: secret),
        ]
        let short: [OperationBody] = [
            .none, .environment, .swishAttempt(msisdn: nil), .walletAttempt,
            .clientFailure(.userCancelled, errorCode: nil), .presentation(.all),
        ]
        for (bodies, deadline) in [(long, Duration.seconds(30)), (short, .seconds(10))] {
            for body in bodies {
                let (_, asked) = await perform(bench.request(.startPaymentAttempt, body))
                #expect(asked.first?.overallDeadline == deadline)
                #expect(asked.first?.connectDeadline == .seconds(10))
            }
        }
    }

    @Test(
        arguments: [
            (TransportFailure(reach: .notSent, kind: .connectionRefused), Reach.notSent, true),
            (TransportFailure(reach: .maybeSent, kind: .timedOut), .maybeSent, true),
            (TransportFailure(reach: .responded, kind: .responseTooLarge), .responded, false),
        ])
    func `a transport failure reports how far the request got`(
        failure: TransportFailure,
        reach: Reach,
        isTransient: Bool
    ) async throws {
        let provider = SwedbankPayProvider(transport: ScriptedTransport(.failure(failure)))
        let response = await provider.perform(try RequestBench().request(.getPayment))
        #expect(
            response.outcome
                == .failed(reach: reach, code: failure.code, isTransient: isTransient)
        )
    }
}
