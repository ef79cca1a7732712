import Adapters
import HTTPTypes
import MerchantBackend
import Testing

@Suite struct CallbackTests {
    static let path = "/payments/callbacks/\(Shop.secret)"

    static func callback(_ id: String = ScriptedPSP.id, number: Int = 1) -> String {
        """
        {"orderReference":"1001","paymentOrder":{"id":"\(id)","instrument":"Swish","number":\(number)}}
        """
    }

    @Test func `each callback tells the host to read the order, and is recorded once`() async throws
    {
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

    @Test func `callbacks of the second generation are told apart by the transaction`() async throws
    {
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

    @Test func `callbacks about orders of others are dropped without a word`() async throws {
        let shop = try Shop()
        try await shop.createOrder()
        let known = try await shop.send(.post, Self.path, Self.callback(), as: nil)
        for id in [ScriptedPSP.otherID, "/psp/creditcard/payments/1", "https://evil.example/x"] {
            let reply = try await shop.send(.post, Self.path, Self.callback(id), as: nil)
            #expect(reply.response == known.response)
        }
        #expect(shop.listener.receipts.count == 1)
    }

    @Test func `a callback that the host cannot note is answered 503, and taken when repeated`()
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

    @Test func `only the address with the secret takes callbacks`() async throws {
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

    @Test func `callbacks come from the PSP's addresses, where they are known`() async throws {
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

    @Test func `what is no callback is refused`() async throws {
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

    @Test func `the end of a challenge reaches the host, and the payer sees that it is over`()
        async throws
    {
        let shop = try Shop()
        let reply = try await post(shop, "challenge-1", "cres=eyJ0cmFuc1N0YXR1cyI6IlkifQ")
        #expect(reply.status == 200)
        #expect(
            shop.listener.answers["challenge-1"] == .completed(cRes: "eyJ0cmFuc1N0YXR1cyI6IlkifQ")
        )
        #expect(!reply.text.contains("eyJ0cmFuc1N0YXR1cyI6IlkifQ"))
    }

    @Test func `what is no end of a challenge changes nothing`() async throws {
        let shop = try Shop()
        #expect(try await post(shop, "challenge-1", "nothing=1").status == 400)
        #expect(try await post(shop, "challenge-1", "").status == 400)
        #expect(try await post(shop, "challenge-2", "cres=eyJ9").status == 404)
        #expect(try await post(shop, "a%2Fb", "cres=eyJ9").status == 404)
        shop.listener.refuse(true)
        #expect(try await post(shop, "challenge-1", "cres=eyJ9").status == 503)
        #expect(shop.listener.answers.isEmpty)
    }
}
