import Adapters
import HTTPTypes
import MerchantBackend
import TestSupport
import Testing

@Suite struct RefusalTests {
    @Test func `the root lists the links and how long they may be cached`() async throws {
        let shop = try Shop()
        for path in ["/payments/", "/payments"] {
            let reply = try await shop.send(.get, path)
            #expect(reply.status == 200)
            #expect(reply.member("paymentorders") == "https://shop.example/payments/paymentorders")
            #expect(reply.member("consumers") == "https://shop.example/payments/consumers")
            #expect(reply.header(.cacheControl) == "private, max-age=3600")
        }
        let once = try Shop { $0.rootLifetimeSeconds = 0 }
        #expect(try await once.send(.get, "/payments/").header(.cacheControl) == "no-store")
    }

    @Test func `every request without valid credentials is refused`() async throws {
        let shop = try Shop()
        let calls: [(HTTPRequest.Method, String)] = [
            (.get, "/payments/"), (.post, "/payments/consumers"),
            (.post, "/payments/paymentorders"), (.post, "/payments/charges"),
            (.patch, "/payments/patch"),
            (.patch, "/payments/paymentorders/x/setInstrument"), (.post, "/payments/expand"),
            (.post, "/payments/tokens"), (.get, "/payments/payers/payer-42/paymentTokens"),
            (.patch, "/payments/payers/payer-42/paymentTokens/card-1"),
        ]
        for (method, path) in calls {
            for user in [nil, "mallory"] {
                let reply = try await shop.send(method, path, "{}", as: user)
                #expect(reply.status == 401)
                #expect(reply.problem == "mobilesdk/unauthorized")
            }
            let hasty = try await shop.send(method, path, "{}", as: "hasty")
            #expect(hasty.status == 429)
            #expect(hasty.header(.retryAfter) == "7")
            #expect(try await shop.send(method, path, "{}", as: "broken").status == 500)
        }
        #expect(shop.psp.asked.isEmpty)
    }

    @Test func `features are off until they are switched on`() async throws {
        let shop = try Shop(features: BackendFeatures())
        try await shop.createOrder()
        let calls: [(HTTPRequest.Method, String, String, String)] = [
            (.patch, "/payments/patch", ChangingTests.patch(), "allowPatchResource"),
            (
                .post, "/payments/expand", "{\"resource\":\"\(ScriptedPSP.id)\"}",
                "allowExpandFullResource"
            ),
            (
                .post, "/payments/tokens", "{\"resource\":\"\(ScriptedPSP.id)\"}",
                "allowExpandFullResource"
            ),
            (.get, PaymentTokenTests.list, "", "allowGetPayerOwnedPaymentTokens"),
            (
                .patch, PaymentTokenTests.list + "/card-1", PaymentTokenTests.deletion,
                "allowDeletePayerOwnedPaymentToken"
            ),
        ]
        for (method, path, body, feature) in calls {
            let reply = try await shop.send(method, path, body)
            #expect(reply.status == 401)
            #expect(reply.problem == "mobilesdk/unauthorized")
            #expect(reply.text.contains(feature))
        }
        #expect(shop.psp.asked.count == 1)
    }

    @Test func `an unknown address and a wrong method are refused`() async throws {
        let shop = try Shop()
        let paths = [
            "/", "/payment", "/paymentsx/", "/payments//consumers", "/payments/unknown",
            "/payments/consumers/", "/payments/%2e%2e/consumers", "/payments/../consumers",
            "/payments/paymentorders/a%00b/setInstrument", "/payments/%ff",
        ]
        for path in paths {
            let reply = try await shop.send(.get, path)
            #expect(reply.status == 404, "\(path)")
            #expect(reply.problem == "notfound")
        }
        let wrong = try await shop.send(.delete, "/payments/paymentorders")
        #expect(wrong.status == 405)
        #expect(wrong.header(.allow) == "POST")
    }

    @Test func `a body that is not a JSON object is refused before anything is sent to the PSP`()
        async throws
    {
        let shop = try Shop { $0.maximumBodyBytes = 10_000 }
        let deep = String(repeating: "[", count: 40) + String(repeating: "]", count: 40)
        for body in ["", " ", "[]", "7", "{", "{\"a\":}", "{\"paymentorder\":[]}", deep] {
            let reply = try await shop.send(.post, "/payments/paymentorders", body)
            #expect(reply.status == 400)
        }
        let large = String(repeating: " ", count: 10_001)
        #expect(try await shop.send(.post, "/payments/paymentorders", large).status == 413)
        for type in ["text/plain", "application/x-www-form-urlencoded", nil] {
            let reply = try await shop.send(
                .post,
                "/payments/paymentorders",
                Shop.order(),
                type: type
            )
            #expect(reply.status == 415)
        }
        #expect(shop.psp.asked.isEmpty)
    }

    @Test(.feature("I-16"))
    func `a PSP that times out is a 504, and one that cannot be reached a 502`() async throws {
        let kinds: [(TransportFailure.Kind, Int, String)] = [
            (.timedOut, 504, "mobilesdk/gatewaytimeout"),
            (.connectionRefused, 502, "mobilesdk/badgateway"),
            (.reset, 502, "mobilesdk/badgateway"),
            (.refusedURL(.host), 502, "mobilesdk/badgateway"),
        ]
        for (kind, status, problem) in kinds {
            let shop = try Shop(psp: ScriptedPSP { _ in .failure(kind) })
            let reply = try await shop.send(.post, "/payments/paymentorders", Shop.order())
            #expect(reply.status == status)
            #expect(reply.problem == problem)
            #expect(reply.member("gatewayStatus") == nil)
        }
    }

    @Test func `a PSP response that is not a problem document is not passed on`() async throws {
        let responses: [(Int, String)] = [
            (500, "<html>leaked</html>"), (403, ""), (400, "[]"), (302, "{}"), (200, "leaked"),
            (404, "{\"detail\":\"leaked\"}"),
            (401, "{\"type\":\"https://api.payex.com/psp/errordetail/unauthorized\"}"),
        ]
        for (status, body) in responses {
            let shop = try Shop(psp: ScriptedPSP { _ in .raw(status, body) })
            let reply = try await shop.send(.post, "/payments/paymentorders", Shop.order())
            #expect(reply.status == 502)
            #expect(reply.member("gatewayStatus") == "\(status)")
        }
    }

    @Test func `a failing register is an internal server error, without details of the failure`()
        async throws
    {
        let failing = PaymentBackend(
            configuration: try Shop().backend.configuration,
            authentication: Users(),
            register: BrokenRegister(),
            review: AcceptAllOrders(),
            transport: ScriptedPSP()
        )
        var request = HTTPRequest(
            method: .post,
            scheme: "https",
            authority: "shop.example",
            path: "/payments/paymentorders"
        )
        request.headerFields[.authorization] = "Bearer alice"
        request.headerFields[.contentType] = "application/json"
        let response = await failing.respond(to: request, body: Array(Shop.order().utf8))
        #expect(response.head.status == .internalServerError)
        #expect(!String(decoding: response.body, as: UTF8.self).contains("secret"))
    }

    @Test func `the contract rejects responses that it does not describe`() throws {
        let request = HTTPRequest(method: .get, scheme: nil, authority: nil, path: "/")
        func misfit(_ status: Int, _ body: String, _ caching: String = "no-store") throws -> String?
        {
            var head = HTTPResponse(status: .init(code: status))
            head.headerFields[.contentType] = "application/json"
            head.headerFields[.cacheControl] = caching
            return try Contract.shared.misfit(
                request,
                path: "/",
                asked: "",
                BackendResponse(head: head, body: Array(body.utf8))
            )
        }
        let sound = #"{"consumers":"https://a.example/c","paymentorders":"https://a.example/p"}"#
        #expect(try misfit(200, sound) == nil)
        #expect(try misfit(200, "{}") != nil)
        #expect(try misfit(200, sound, "public") != nil)
        #expect(try misfit(418, sound) != nil)
        #expect(try misfit(401, sound) != nil)
    }
}

/// A register that always fails.
struct BrokenRegister: OrderRegister {
    struct Broken: Error { var secret = "secret" }

    func keep(_ order: RegisteredOrder) async throws { throw Broken() }
    func order(_ key: OrderKey) async throws -> RegisteredOrder? { throw Broken() }
    func hasReceived(_ receipt: CallbackReceipt) async throws -> Bool { throw Broken() }
    func record(_ receipt: CallbackReceipt) async throws { throw Broken() }
}
