import Adapters
import HTTPTypes
import MerchantBackend
import Testing

@Suite struct ChangingTests {
    static let href = ScriptedPSP.root + ScriptedPSP.id

    static func patch(
        _ operation: String = "SetInstrument",
        href: String = ChangingTests.href
    ) -> String {
        let member =
            operation == "Abort"
            ? "\"abortReason\":\"CancelledByConsumer\"" : "\"instrument\":\"Swish\""
        return """
            {"href":"\(href)","paymentorder":{"operation":"\(operation)",\(member)}}
            """
    }

    @Test func `an order's instrument is changed through the order's own operation`() async throws {
        let shop = try Shop()
        try await shop.createOrder()
        let reply = try await shop.send(.patch, "/payments/patch", Self.patch())
        #expect(reply.status == 200)
        #expect(reply.member("paymentOrder.id") == ScriptedPSP.id)
        #expect(reply.member("operations.0.rel") == "view-checkout")
        let call = try #require(shop.psp.asked.last)
        #expect(call.method == .patch)
        #expect(call.url == Self.href)
        #expect(
            call.text
                == #"{"paymentorder":{"instrument":"Swish","operation":"SetInstrument"}}"#
        )
    }

    @Test func `an aborted order no longer offers its earlier operations`() async throws {
        let aborted = """
            {"paymentOrder":{"id":"\(ScriptedPSP.id)","status":"Aborted",
            "aborted":{"id":"/psp/x","abortReason":"CancelledByConsumer"}},"operations":[]}
            """
        let shop = try Shop(
            psp: ScriptedPSP { request in
                request.method == .patch ? .json(200, aborted) : ScriptedPSP.usual(request)
            }
        )
        try await shop.createOrder()
        let reply = try await shop.send(.patch, "/payments/patch", Self.patch("Abort"))
        #expect(reply.status == 200)
        #expect(reply.member("paymentOrder.status") == "Aborted")
        #expect(reply.member("paymentOrder.aborted.abortReason") == "CancelledByConsumer")
        let again = try await shop.send(.patch, "/payments/patch", Self.patch("Abort"))
        #expect(again.status == 404)
        #expect(shop.psp.asked.count == 2)
    }

    @Test func `after a change without a response body, the order is read`() async throws {
        let shop = try Shop(
            psp: ScriptedPSP { request in
                request.method == .patch ? .raw(204, "") : ScriptedPSP.usual(request)
            }
        )
        try await shop.createOrder()
        let reply = try await shop.send(.patch, "/payments/patch", Self.patch())
        #expect(reply.status == 200)
        #expect(shop.psp.asked.map(\.method) == [.post, .patch, .get])
    }

    @Test func `an order of the second generation changes its instrument through its own link`()
        async throws
    {
        let psp = ScriptedPSP { request in
            request.method == .patch
                ? .json(200, ScriptedPSP.secondOrder) : ScriptedPSP.usual(request)
        }
        let shop = try Shop(psp: psp)
        let order = Shop.order(productName: nil, more: ",\"instrument\":\"CreditCard\"")
        let created = try await shop.createOrder(order)
        let link = try #require(created.member("mobileSDK.setInstrument"))
        let path = String(link.dropFirst("https://shop.example".count))
        let change = #"{"paymentorder":{"operation":"SetInstrument","instrument":"Swish"}}"#
        let reply = try await shop.send(.patch, path, change)
        #expect(reply.status == 200)
        #expect(reply.member("mobileSDK.setInstrument") == link)
        #expect(shop.psp.asked.last?.url == Self.href)
        let abort = #"{"paymentorder":{"operation":"Abort","abortReason":"x"}}"#
        #expect(try await shop.send(.patch, path, abort).status == 400)
        #expect(try await shop.send(.patch, path, change, as: "bob").status == 404)
        let unknown = "/payments/paymentorders/AAAAAAAAAAAAAAAAAAAAAA/setInstrument"
        #expect(try await shop.send(.patch, unknown, change).status == 404)
        #expect(shop.psp.asked.count == 2)
    }

    @Test func `an invalid change is refused, naming the field`() async throws {
        let shop = try Shop()
        try await shop.createOrder()
        let wrong = [
            ("{}", "href"),
            ("{\"href\":\"\(Self.href)\"}", "paymentorder"),
            (Self.patch("Capture"), "paymentorder.operation"),
            (
                "{\"href\":\"\(Self.href)\",\"paymentorder\":{\"operation\":\"SetInstrument\"}}",
                "paymentorder.instrument"
            ),
            (
                "{\"href\":\"\(Self.href)\",\"paymentorder\":{\"operation\":\"Abort\"}}",
                "paymentorder.abortReason"
            ),
        ]
        for (body, field) in wrong {
            let reply = try await shop.send(.patch, "/payments/patch", body)
            #expect(reply.status == 400)
            #expect(reply.text.contains("\"name\":\"\(field)\""), "\(reply.text)")
        }
        #expect(shop.psp.asked.count == 1)
    }

    @Test func `a refusal by the PSP is passed on to the caller with its problem`() async throws {
        let refusal = """
            {"type":"https://api.payex.com/psp/errordetail/forbidden","title":"Not now",
            "detail":"Ongoing","action":"Wait","problems":[{"name":"a","description":"b"}]}
            """
        let shop = try Shop(
            psp: ScriptedPSP { request in
                request.method == .patch ? .json(409, refusal) : ScriptedPSP.usual(request)
            }
        )
        try await shop.createOrder()
        let reply = try await shop.send(.patch, "/payments/patch", Self.patch())
        #expect(reply.status == 409)
        #expect(reply.problem == "forbidden")
        #expect(reply.member("status") == "409")
        #expect(reply.member("action") == "Wait")
        #expect(reply.member("problems.0.description") == "b")
    }
}
