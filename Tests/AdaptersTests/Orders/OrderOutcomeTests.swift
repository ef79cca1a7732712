import EventLog
import HTTPTypes
import SwedbankPay
import Testing
import Workflow

@testable import Adapters

/// How responses to the engine's requests about payment orders are classified.
@Suite struct OrderOutcomeTests {
    private static let backend = GatewayAccess(
        gateway: .merchantBackend,
        root: "https://shop.example/api/"
    )
    private static let psp = GatewayAccess(gateway: .psp, root: "https://api.payex.com/")
    private static let access = OrderAccess(accessToken: { _ in "token-1" })

    private func perform(
        _ rel: Rel,
        _ body: OperationBody = .none,
        address: String = "",
        by gateway: GatewayAccess = Self.backend,
        bench: RequestBench,
        response: TransportResponse = .json(OrderFixture.checkout)
    ) async -> (ProviderResponse, TransportRequest?) {
        let transport = RespondingTransport { _ in response }
        var request = bench.request(rel, body, address: address)
        request.gateway = gateway
        let provider = SwedbankPayProvider(transport: transport, access: Self.access)
        return (await provider.perform(request), transport.asked.first)
    }

    @Test func `a paid order is read without personal data or chargeable tokens in the clear`()
        async throws
    {
        let personal = OrderFixture.paid
            .replacing("order-1001", with: "anna@example.com")
            .replacing(
                "\"payeeReference\":\"100000000017\"}",
                with: "\"payeeReference\":\"A/17.b_#+\"}"
            )
            .replacing(
                #""status":"Paid""#,
                with: #""status":"Paid","aborted":{"abortReason":"call 0701234567"}"#
            )
        let (response, _) = await perform(
            .order,
            .orderQuery(id: OrderFixture.id, expanding: []),
            by: Self.psp,
            bench: try RequestBench(),
            response: .json(personal)
        )
        guard case .order(let order, 200) = response.outcome else {
            Issue.record("\(response.outcome)")
            return
        }
        #expect(order.status == .paid && order.paid?.amount == 12500 && order.number == 222_222_222)
        #expect(order.paid?.payeeReference == "100000000017")
        #expect(order.paid?.orderReference == nil && order.failedAttempts == 1)
        #expect(order.transactions?.map(\.payeeReference) == ["A/17.b_#+"])
        #expect(order.urls.payment == "https://shop.example/back")
        guard case .sealed(let reason)? = order.abortReason else {
            Issue.record("the reason is not sealed")
            return
        }
        #expect(response.secrets[reason] == "call 0701234567")
        #expect(
            order.operations.first?.href.flatMap { response.secrets[$0] }
                == "https://api.payex.com\(OrderFixture.id)/captures"
        )
        #expect(!"\(response.outcome)".contains("12345678-1234"))
    }

    @Test func `a response without an order is classified as empty, undecodable or refused`()
        async throws
    {
        let bench = try RequestBench()
        let query = OperationBody.orderQuery(id: OrderFixture.id, expanding: [])
        func outcome(_ response: TransportResponse) async -> ProviderResponse.Outcome {
            await perform(.order, query, by: Self.psp, bench: bench, response: response).0.outcome
        }
        #expect(await outcome(.json("", 204, type: nil)) == .empty(status: 204))
        for body in ["{}", "[]", "<html>", #"{"payment":{}}"#] {
            guard case .undecodable(200, _?) = await outcome(.json(body)) else {
                Issue.record("\(body)")
                continue
            }
        }
        guard
            case .undecodable(200, _?) = await outcome(.json(OrderFixture.paid, type: "text/html"))
        else {
            Issue.record("a page was read as an order")
            return
        }
        let problem = #"{"type":"https://api.payex.com/psp/errordetail/notfound","status":404}"#
        guard
            case .refused(404, let document, .seconds(3)?) = await outcome(
                .json(problem, 404, headers: [.retryAfter: "3"])
            )
        else {
            Issue.record("no refusal")
            return
        }
        #expect(document.type == ProblemCatalogue.typePrefix + "notfound")
    }

    @Test func `a check-in's script is read from the operations, or reported as absent`()
        async throws
    {
        let bench = try RequestBench()
        let body = OperationBody.consumer(language: "sv-SE", shippingCountries: [])
        func view(_ response: String) async -> ProviderResponse.Outcome {
            await perform(.consumers, body, by: Self.psp, bench: bench, response: .json(response)).0
                .outcome
        }
        guard
            case .consumer(let operation?, 200) = await view(
                #"{"operations":[{"rel":"view-consumer-identification","href":"https://e.example/s"}]}"#
            )
        else {
            Issue.record("no script")
            return
        }
        #expect(operation.rel == .viewConsumer && operation.href != nil)
        #expect(await view(#"{"operations":[]}"#) == .consumer(view: nil, status: 200))
    }

    @Test func `a failed request reports whether it was sent`() async throws {
        for kind in [TransportFailure.Kind.timedOut, .canceled] {
            let failure = TransportFailure(reach: .maybeSent, kind: kind)
            var request = try RequestBench().request(.root, address: "")
            request.gateway = Self.backend
            let response = await SwedbankPayProvider(
                transport: ScriptedTransport(.failure(failure))
            )
            .perform(request)
            #expect(
                response.outcome
                    == .failed(
                        reach: .maybeSent,
                        code: failure.code,
                        isTransient: failure.isTransient
                    )
            )
        }
        var request = try RequestBench().request(
            .paymentOrders,
            .orderQuery(id: OrderFixture.id, expanding: [])
        )
        request.gateway = Self.psp
        let tokenless = await SwedbankPayProvider(transport: ScriptedTransport(status: 200))
            .perform(request)
        #expect(
            tokenless.outcome
                == .failed(reach: .notSent, code: "order.access-unavailable", isTransient: true)
        )
    }
}
