import Adapters
import HTTPTypes
import MerchantBackend
import TestSupport
import Testing

@Suite struct CallbackTests {
    static let path = "/payments/callbacks/\(Shop.secret)"

    static func callback(_ id: String = ScriptedPSP.id, number: Int = 1) -> String {
        """
        {"orderReference":"1001","paymentOrder":{"id":"\(id)","instrument":"Swish","number":\(number)}}
        """
    }

    @Test(.feature("O-05"))
    func `each callback is passed to the host, and is recorded once per number`() async throws {
        let shop = try Shop()
        try await shop.createOrder()
        for number in [1, 1, 2, 1, 2] {
            let body = Self.callback(number: number)
            let reply = try await shop.send(
                .post,
                Self.path,
                body,
                as: nil,
                from: "20.91.170.121"
            )
            #expect(reply.status == 200)
            #expect(reply.text.isEmpty)
        }
        let expected = [1, 2].map {
            CallbackReceipt(orderID: ScriptedPSP.id, number: $0, source: "20.91.170.121")
        }
        #expect(shop.listener.receipts.map(\.number) == [1, 1, 2, 1, 2])
        #expect(await shop.register.recorded == expected)
        #expect(shop.psp.asked.count == 1)
    }

    @Test func `a callback of the second generation is numbered by its transaction`() async throws {
        let shop = try Shop()
        try await shop.createOrder()
        let body = """
            {"paymentOrder":{"id":"\(ScriptedPSP.id)","instrument":"paymentorders"},
            "payment":{"id":"/psp/creditcard/payments/x","number":222222222},
            "transaction":{"id":"/psp/creditcard/payments/x/authorizations/y","number":333333333}}
            """
        #expect(try await shop.send(.post, Self.path, body, as: nil).status == 200)
        #expect(shop.listener.receipts.map(\.number) == [333_333_333])
    }

    @Test func `callbacks about unknown orders are dropped with the usual response`() async throws {
        let shop = try Shop()
        try await shop.createOrder()
        let known = try await shop.send(.post, Self.path, Self.callback(), as: nil)
        for id in [ScriptedPSP.otherID, "/psp/creditcard/payments/1", "https://evil.example/x"] {
            let reply = try await shop.send(.post, Self.path, Self.callback(id), as: nil)
            #expect(reply.response == known.response)
        }
        #expect(shop.listener.receipts.count == 1)
    }

    @Test func `a callback that the host rejects gets a 503, and is accepted when repeated`()
        async throws
    {
        let shop = try Shop()
        try await shop.createOrder()
        shop.listener.refuse(true)
        let first = try await shop.send(.post, Self.path, Self.callback(), as: nil)
        #expect(first.status == 503)
        #expect(await shop.register.recorded.isEmpty)
        shop.listener.refuse(false)
        let second = try await shop.send(.post, Self.path, Self.callback(), as: nil)
        #expect(second.status == 200)
        #expect(shop.listener.receipts.count == 1)
    }

    @Test(.threat("T-49")) func `only the URL with the secret accepts callbacks`() async throws {
        let shop = try Shop()
        try await shop.createOrder()
        for secret in ["x", String(Shop.secret.dropLast()), Shop.secret + "x", "%20"] {
            let path = "/payments/callbacks/" + secret
            #expect(try await shop.send(.post, path, Self.callback(), as: nil).status == 404)
        }
        #expect(try await shop.send(.get, Self.path, as: nil).status == 405)
        let none = try Shop { $0.callbackSecret = nil }
        #expect(try await none.send(.post, Self.path, Self.callback(), as: nil).status == 404)
        #expect(shop.listener.receipts.isEmpty)
    }

    @Test func `where the PSP's addresses are configured, callbacks from elsewhere are refused`()
        async throws
    {
        let shop = try Shop { $0.callbackSources = SourceRange.psp }
        try await shop.createOrder()
        for source in ["20.91.170.119", "20.91.170.128", "::1", "nonsense", nil] {
            let reply = try await shop.send(
                .post,
                Self.path,
                Self.callback(),
                as: nil,
                from: source
            )
            #expect(reply.status == 404)
        }
        for source in ["20.91.170.120", "20.91.170.127", "::ffff:20.91.170.124"] {
            let reply = try await shop.send(
                .post,
                Self.path,
                Self.callback(),
                as: nil,
                from: source
            )
            #expect(reply.status == 200)
        }
    }

    @Test func `a malformed or oversized callback, or one with a wrong content type, is refused`()
        async throws
    {
        let shop = try Shop()
        try await shop.createOrder()
        let large = Self.callback() + String(repeating: " ", count: 20_000)
        #expect(try await shop.send(.post, Self.path, large, as: nil).status == 413)
        for body in ["", "[]", "{}", "{\"paymentOrder\":{\"id\":7}}"] {
            #expect(try await shop.send(.post, Self.path, body, as: nil).status == 400)
        }
        let typed = try await shop.send(
            .post,
            Self.path,
            Self.callback(),
            as: nil,
            type: "text/plain"
        )
        #expect(typed.status == 415)
        #expect(shop.listener.receipts.isEmpty)
    }
}

@Suite struct ChallengeEndTests {
    private func post(_ shop: Shop, _ reference: String, _ form: String) async throws -> Reply {
        try await shop.send(
            .post,
            "/payments/3ds/\(reference)",
            form,
            as: nil,
            type: "application/x-www-form-urlencoded"
        )
    }

    @Test
    func `the end of a challenge reaches the host, and the page reports it without the cRes`()
        async throws
    {
        let shop = try Shop()
        let reply = try await post(shop, "challenge-1", "cres=eyJ0cmFuc1N0YXR1cyI6IlkifQ")
        #expect(reply.status == 200)
        #expect(
            shop.listener.responses["challenge-1"] == .completed(cRes: "eyJ0cmFuc1N0YXR1cyI6IlkifQ")
        )
        #expect(!reply.text.contains("eyJ0cmFuc1N0YXR1cyI6IlkifQ"))
        #expect(reply.header(.contentType)?.hasPrefix("text/html") == true)
        #expect(reply.text.contains(#""event":"completed""#))
        let unclear = try await post(shop, "challenge-1", "nothing=1")
        #expect(unclear.text.contains(#""event":"failed""#))
    }

    @Test func `a malformed, unknown or undeliverable end of a challenge is refused`() async throws
    {
        let shop = try Shop()
        #expect(try await post(shop, "challenge-1", "nothing=1").status == 400)
        #expect(try await post(shop, "challenge-1", "").status == 400)
        #expect(try await post(shop, "challenge-2", "cres=eyJ9").status == 404)
        #expect(try await post(shop, "a%2Fb", "cres=eyJ9").status == 404)
        shop.listener.refuse(true)
        #expect(try await post(shop, "challenge-1", "cres=eyJ9").status == 503)
        #expect(shop.listener.responses.isEmpty)
    }
}
