import EventLog
import HTTPTypes
import SwedbankPay
import Testing

@testable import Adapters

/// The engine's requests about payment orders, through the provider.
@Suite struct OrderProviderTests {
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

    @Test func `a backend's endpoints are sealed, and requested again only when they have expired`()
        async throws
    {
        let transport = RespondingTransport { _ in
            .json(OrderFixture.root, headers: [.cacheControl: "max-age=60"])
        }
        let provider = SwedbankPayProvider(transport: transport)
        for _ in 0..<2 {
            var request = try RequestBench().request(.root, address: Self.backend.root)
            request.gateway = Self.backend
            let response = await provider.perform(request)
            guard case .endpoints(let endpoints, 200) = response.outcome else {
                Issue.record("\(response.outcome)")
                return
            }
            #expect(response.secrets[endpoints.orders] == "https://shop.example/api/paymentorders")
            #expect(
                endpoints.consumers.flatMap { response.secrets[$0] }
                    == "https://shop.example/api/consumers"
            )
        }
        #expect(transport.lines == ["GET https://shop.example/api/"])
        #expect(transport.asked.first?.body == nil)
    }

    @Test
    func `an order is created at the backend's endpoint, with the payer's check-in merged in`()
        async throws
    {
        var bench = try RequestBench()
        let submission = OrderSubmission(
            document: bench.seal(#"{"amount":1,"payer":{"payerReference":"p"}}"#),
            instrument: .creditCard,
            consumerProfileRef: bench.seal("profile-1"),
            payeeReference: "ref1"
        )
        let (response, request) = await perform(
            .paymentOrders,
            .order(submission),
            address: "https://shop.example/api/paymentorders",
            bench: bench
        )
        #expect(
            request?.text
                == #"{"paymentorder":{"amount":1,"instrument":"CreditCard","payeeInfo":{"payeeReference":"ref1"},"payer":{"consumerProfileRef":"profile-1","payerReference":"p"},"userAgent":"agent/1"}}"#
        )
        #expect(request?.method == .post)
        guard case .order(let order, 200) = response.outcome else {
            Issue.record("\(response.outcome)")
            return
        }
        #expect(order.id == OrderFixture.id && order.isInstrumentMode == true)
        #expect(order.instrument == .creditCard)
        #expect(
            order.operations.map(\.rel) == [
                .viewCheckout, .viewPaymentSession, .setInstrument, .abortOrder,
            ]
        )
        #expect(order.operations[0].contentType == "application/javascript")
        #expect(
            order.operations[1].href.flatMap { response.secrets[$0] }
                == "https://api.payex.com/psp/paymentsessions/tok2"
        )
    }

    @Test func `each request is sent to its own address at a backend and at the PSP`() async throws
    {
        var bench = try RequestBench()
        let href = "https://api.payex.com\(OrderFixture.id)"
        let capture = TransactionRequest(
            kind: .capture,
            payeeReference: "17",
            amount: 5,
            vatAmount: 1,
            description: "x",
            orderItems: bench.seal("[]")
        )
        let order = OperationBody.order(OrderSubmission(document: bench.seal("{}")))
        let consumer = OperationBody.consumer(language: "sv-SE", shippingCountries: ["SE"])
        let query = OperationBody.orderQuery(id: OrderFixture.id, expanding: ["paid", "urls"])
        let shop = "https://shop.example/api/"
        let cases: [(Rel, OperationBody, String, GatewayAccess, String)] = [
            (.consumers, consumer, shop + "c", Self.backend, "POST \(shop)c"),
            (.consumers, consumer, "", Self.psp, "POST https://api.payex.com/psp/consumers"),
            (.paymentOrders, order, shop + "o", Self.backend, "POST \(shop)o"),
            (.paymentOrders, order, "", Self.psp, "POST https://api.payex.com/psp/paymentorders"),
            (.order, query, "", Self.backend, "POST \(shop)expand"),
            (.order, query, "", Self.psp, "GET \(href)?$expand=paid,urls"),
            (.setInstrument, .instrument(.swish), href, Self.backend, "PATCH \(shop)patch"),
            (.setInstrument, .instrument(.swish), href, Self.psp, "PATCH \(href)"),
            (.backendInstrument, .instrument(.swish), shop + "i", Self.backend, "PATCH \(shop)i"),
            (.abortOrder, .abortReason("x"), href, Self.backend, "PATCH \(shop)patch"),
            (.updateAbort, .abortReason("x"), href, Self.psp, "PATCH \(href)"),
            (
                .capture, .transaction(capture), href + "/captures", Self.psp,
                "POST \(href)/captures"
            ),
        ]
        for (rel, body, address, gateway, line) in cases {
            let (response, request) = await perform(
                rel,
                body,
                address: address,
                by: gateway,
                bench: bench
            )
            #expect(request.map { "\($0.method) \($0.url)" } == line, "\(response.outcome)")
            let tokens = request?.values(of: "Authorization")
            #expect(tokens == (gateway == Self.psp ? ["Bearer token-1"] : []))
        }
        let (response, request) = await perform(
            .capture,
            .transaction(capture),
            address: href,
            bench: bench
        )
        #expect(request == nil)
        #expect(
            response.outcome
                == .failed(reach: .notSent, code: "order.missing-operation", isTransient: false)
        )
    }

    @Test func `an address that may not be called is not called, and the error gives the reason`()
        async throws
    {
        let bench = try RequestBench()
        let cases: [(Rel, OperationBody, String, GatewayAccess, String)] = [
            (
                .paymentOrders, .consumer(language: "x", shippingCountries: []),
                "https://evil.example/", Self.backend, "order.foreign-domain"
            ),
            (
                .abortOrder, .abortReason("x"), "https://evil.example/", Self.psp,
                "order.foreign-domain"
            ),
            (
                .abortOrder, .abortReason("x"), "ftp://api.payex.com/", Self.psp,
                "order.malformed-address"
            ),
            (
                .order, .orderQuery(id: "@evil.example", expanding: []), "", Self.psp,
                "order.malformed-value"
            ),
            (
                .root, .none, "", GatewayAccess(gateway: .merchantBackend, root: "x"),
                "order.malformed-address"
            ),
            (
                .consumers, .consumer(language: "x", shippingCountries: []), "", Self.backend,
                "order.missing-operation"
            ),
        ]
        for (rel, body, address, gateway, code) in cases {
            let (response, request) = await perform(
                rel,
                body,
                address: address,
                by: gateway,
                bench: bench
            )
            #expect(request == nil)
            #expect(
                response.outcome == .failed(reach: .notSent, code: code, isTransient: false)
            )
        }
        let foreign = await perform(
            .root,
            bench: bench,
            response: .json(#"{"paymentorders":"https://evil.example/"}"#)
        )
        #expect(
            foreign.0.outcome
                == .failed(reach: .responded, code: "order.foreign-domain", isTransient: false)
        )
    }

    @Test func `a missing sealed value keeps the request from being sent`() async throws {
        var other = try RequestBench()
        let submission = OrderSubmission(document: other.seal("{}"))
        let (response, request) = await perform(
            .paymentOrders,
            .order(submission),
            by: Self.psp,
            bench: try RequestBench()
        )
        #expect(request == nil)
        #expect(
            response.outcome
                == .failed(reach: .notSent, code: "session.secret-missing", isTransient: false)
        )
    }
}
