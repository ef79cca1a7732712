import Adapters
import Foundation
import HTTPTypes
import MerchantBackend
import TestSupport
import Testing

/// One test for each flaw of the example backends.
@Suite struct SampleFlawTests {
    private let href = ScriptedPSP.root + ScriptedPSP.id

    @Test(arguments: [
        "https://evil.example" + ScriptedPSP.id, "http://api.payex.com" + ScriptedPSP.id,
        "https://api.payex.com:444" + ScriptedPSP.id,
        "https://api.payex.com@evil.example" + ScriptedPSP.id,
        "https://api.payex.com" + ScriptedPSP.id + "?x=1",
        "https://api.payex.com" + ScriptedPSP.id + "/captures",
        "https://api.payex.com" + ScriptedPSP.otherID, ScriptedPSP.id, "",
    ])
    func `a URL from the caller that is no operation of the order is never requested`(
        href: String
    ) async throws {
        let shop = try Shop()
        try await shop.createOrder()
        let reply = try await shop.send(
            .patch,
            "/payments/patch",
            ChangingTests.patch(href: href)
        )
        #expect(reply.status == (href.isEmpty ? 400 : 404))
        #expect(shop.psp.asked.count == 1)
    }

    @Test(.threat("T-48"))
    func `a PSP link to another host is not followed, and gets no access token`() async throws {
        let elsewhere = ScriptedPSP.order().replacingOccurrences(
            of: "\"href\":\"https://api.payex.com/psp/paymentorders",
            with: "\"href\":\"https://evil.example/psp/paymentorders"
        )
        let shop = try Shop(psp: ScriptedPSP { _ in .json(201, elsewhere) })
        try await shop.createOrder()
        let body = ChangingTests.patch(href: "https://evil.example" + ScriptedPSP.id)
        #expect(try await shop.send(.patch, "/payments/patch", body).status == 404)
        #expect(shop.psp.asked.count == 1)
        let cards = ScriptedPSP.cards.replacingOccurrences(
            of: ScriptedPSP.root,
            with: "https://evil.example"
        )
        let other = try Shop(psp: ScriptedPSP { _ in .json(200, cards) })
        let reply = try await other.send(
            .patch,
            PaymentTokenTests.list + "/card-1",
            PaymentTokenTests.deletion
        )
        #expect(reply.status == 502)
        #expect(other.psp.asked.map(\.method) == [.get])
    }

    @Test(arguments: [
        "@evil.example/", "//evil.example/", "https://evil.example" + ScriptedPSP.id,
        ScriptedPSP.id + "/../x", ScriptedPSP.id + "?a=b", ScriptedPSP.id + "\n",
        "/psp/paymentorders/" + String(repeating: "A", count: 36),
        "/psp/paymentorders/" + String(repeating: ".", count: 36), "/psp/paymentorders/",
        "/PSP/paymentorders/1f2e3d4c-5b6a-4798-8a9b-0c1d2e3f4a5b",
    ])
    func `a resource that is not an order's id is refused`(resource: String) async throws {
        let shop = try Shop()
        try await shop.createOrder()
        let json = try JSONSerialization.data(withJSONObject: ["resource": resource])
        for path in ["/payments/expand", "/payments/tokens"] {
            let reply = try await shop.send(.post, path, String(decoding: json, as: UTF8.self))
            #expect(reply.status == 400)
            #expect(reply.text.contains("\"name\":\"resource\""))
        }
        #expect(shop.psp.asked.count == 1)
    }

    @Test func `URL parameters are escaped in pages`() async throws {
        let shop = try Shop()
        let name = "%3Cscript%3Ealert(1)%3C%2Fscript%3E%22"
        let path = ReturningTests.ios + "?scheme=shopapp&language=en-US&app=\(name)"
        let first = try await shop.send(.get, path, as: nil)
        let location = try #require(first.header(.location))
        let page = try await shop.send(
            .get,
            String(location.dropFirst("https://back.example".count)),
            as: nil
        )
        #expect(page.status == 200)
        #expect(!page.text.contains("<script"))
        #expect(page.text.contains("&lt;script&gt;alert(1)&lt;/script&gt;&quot;"))
        let android = ReturningTests.android + "?package=example.shop&a='&b=%3Cb%3E"
        let intent = try await shop.send(.get, android, as: nil)
        #expect(intent.status == 200)
        #expect(!intent.text.contains("'"))
        #expect(!intent.text.contains("<b>"))
    }

    @Test func `pages use the configured host, not the host of the request`() async throws {
        // Every request of these tests is addressed to attacker.example.
        let page = try await Shop().send(
            .get,
            ReturningTests.android + "?package=example.shop",
            as: nil
        )
        #expect(page.text.contains("intent://shop.example/"))
        #expect(!page.text.contains("attacker"))
        let root = try await Shop().send(.get, "/payments/")
        #expect(!root.text.contains("attacker"))
    }

    @Test func `a deletion that the PSP refuses is reported with the PSP's status`() async throws {
        let shop = try Shop(
            psp: ScriptedPSP { request in
                request.method == .patch
                    ? .json(422, "{\"type\":\"https://api.payex.com/psp/errordetail/inputerror\"}")
                    : ScriptedPSP.usual(request)
            }
        )
        let path = PaymentTokenTests.list + "/card-1"
        let reply = try await shop.send(.patch, path, PaymentTokenTests.deletion)
        #expect(reply.status == 422)
        #expect(reply.member("status") == "422")
    }

    @Test func `only the words true and false switch a feature`() throws {
        let features = try BackendFeatures(reading: [
            "allowPatchResource": "true", "allowUsePaymentToken": "false",
        ])
        #expect(features.allowPatchResource)
        #expect(!features.allowUsePaymentToken)
        #expect(!features.allowExpandFullResource)
        for word in ["", "True", "1", "yes", "falsch", " true"] {
            #expect(throws: BackendConfigurationError.self) {
                try BackendFeatures(reading: ["allowPatchResource": word])
            }
        }
        #expect(throws: BackendConfigurationError.self) {
            try BackendFeatures(reading: ["allowEverything": "true"])
        }
    }

    @Test func `each order has the user agent of its own request, or the default`() async throws {
        let shop = try Shop()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<20 {
                group.addTask {
                    let agent = number == 0 ? nil : "App/\(number)"
                    let order = Shop.order(more: ",\"metadata\":{\"agent\":\"\(agent ?? "-")\"}")
                    let reply = try await shop.send(
                        .post,
                        "/payments/paymentorders",
                        order,
                        userAgent: agent
                    )
                    #expect(reply.status == 201)
                }
            }
            try await group.waitForAll()
        }
        for call in shop.psp.asked {
            let body = try #require(Sent(call))
            let agent = try #require(body["paymentorder.metadata.agent"])
            let named = try #require(body["paymentorder.userAgent"])
            #expect(named == (agent == "-" ? "merchant-backend" : agent))
        }
        #expect(shop.psp.asked.count == 20)
    }

    @Test(.threat("T-46"))
    func `another caller's order cannot be changed or aborted`() async throws {
        let shop = try Shop()
        try await shop.createOrder(as: "alice")
        for operation in ["SetInstrument", "Abort"] {
            let body = ChangingTests.patch(operation)
            #expect(try await shop.send(.patch, "/payments/patch", body, as: "bob").status == 404)
        }
        #expect(shop.psp.asked.count == 1)
    }

    @Test func `an order without tokens returns an empty object`() async throws {
        let shop = try Shop()
        try await shop.createOrder()
        let reply = try await shop.send(
            .post,
            "/payments/tokens",
            "{\"resource\":\"\(ScriptedPSP.id)\"}"
        )
        #expect(reply.status == 200)
        #expect(reply.text == "{}")
    }

    @Test func `a second change uses the operations of the first response`() async throws {
        let moved = ScriptedPSP.order().replacingOccurrences(
            of: "\"rel\":\"set-instrument\",\"method\":\"PATCH\",\"href\":\"\(href)\"",
            with: "\"rel\":\"set-instrument\",\"method\":\"PATCH\",\"href\":\"\(href)/next\""
        )
        let shop = try Shop(
            psp: ScriptedPSP { request in
                request.method == .patch ? .json(200, moved) : ScriptedPSP.usual(request)
            }
        )
        try await shop.createOrder()
        let first = try await shop.send(.patch, "/payments/patch", ChangingTests.patch())
        #expect(first.status == 200)
        let stale = try await shop.send(.patch, "/payments/patch", ChangingTests.patch())
        #expect(stale.status == 404)
        let second = try await shop.send(
            .patch,
            "/payments/patch",
            ChangingTests.patch(href: href + "/next")
        )
        #expect(second.status == 200)
        #expect(shop.psp.asked.last?.url == href + "/next")
    }
}
