import Adapters
import HTTPTypes
import MerchantBackend
import Testing

@Suite struct ReadingTests {
    static let paid = """
        ,"paid":{"id":"/psp/x","instrument":"CreditCard","number":12,"transactionType":"Authorization",
        "amount":10000,"payeeReference":"r","tokens":[{"type":"recurrence","token":"leaked-token"},
        {"type":"payment","token":"leaked-token","name":"4925"}],"details":{"pan":"leaked"}},
        "failedAttempts":{"id":"/psp/y","failedAttemptList":[{"instrument":"Swish","status":"Failed",
        "operationalFee":1,"problem":{"type":"https://x.example/p","title":"No","extra":"leaked"}}]},
        "financialTransactions":{"id":"/psp/z","financialTransactionsList":[{"type":"Capture",
        "number":13,"amount":5,"vatAmount":1,"payeeReference":"c","itemDescriptions":"leaked"}]}
        """

    private func shop(_ body: String, features: BackendFeatures = .all) throws -> Shop {
        try Shop(
            psp: ScriptedPSP { request in
                request.method == .get ? .json(200, body) : ScriptedPSP.usual(request)
            },
            features: features
        )
    }

    private static func expansion(
        _ resource: String = ScriptedPSP.id,
        _ expand: String = "\"paid\",\"failedAttempts\",\"financialTransactions\""
    ) -> String { "{\"resource\":\"\(resource)\",\"expand\":[\(expand)]}" }

    @Test func `an order is read with its parts, without tokens and details`() async throws {
        let shop = try shop(ScriptedPSP.order(status: "Paid", more: Self.paid))
        try await shop.createOrder()
        let reply = try await shop.send(.post, "/payments/expand", Self.expansion())
        #expect(reply.status == 200)
        #expect(
            shop.psp.asked.last?.url == ScriptedPSP.root + ScriptedPSP.id
                + "?$expand=paid,failedAttempts,financialTransactions"
        )
        #expect(reply.member("paymentOrder.status") == "Paid")
        #expect(reply.member("paymentOrder.paid.transactionType") == "Authorization")
        #expect(
            reply.member("paymentOrder.failedAttempts.failedAttemptList.0.problem.title") == "No"
        )
        #expect(
            reply.member("paymentOrder.financialTransactions.financialTransactionsList.0.type")
                == "Capture"
        )
        #expect(!reply.text.contains("\"capture\""))
    }

    @Test func `the response says which kinds of tokens exist, and never their values`()
        async throws
    {
        let shop = try shop(ScriptedPSP.order(status: "Paid", more: Self.paid))
        try await shop.createOrder()
        let reply = try await shop.send(.post, "/payments/tokens", Self.expansion())
        #expect(reply.status == 200)
        #expect(reply.text == #"{"recurrence":true}"#)
        #expect(shop.psp.asked.last?.url.hasSuffix("?$expand=paid") == true)
    }

    @Test func `an order can be read only by its owner`() async throws {
        let shop = try shop(ScriptedPSP.order())
        try await shop.createOrder()
        for path in ["/payments/expand", "/payments/tokens"] {
            let bob = try await shop.send(.post, path, Self.expansion(), as: "bob")
            let nobody = try await shop.send(.post, path, Self.expansion(ScriptedPSP.otherID))
            #expect(bob.status == 404)
            #expect(bob.response == nobody.response)
        }
        #expect(shop.psp.asked.count == 1)
    }

    @Test func `a PSP response about another order is not passed on`() async throws {
        let shop = try shop(ScriptedPSP.order(id: ScriptedPSP.otherID))
        try await shop.createOrder()
        let reply = try await shop.send(.post, "/payments/expand", Self.expansion())
        #expect(reply.status == 502)
    }

    @Test func `a request to expand unknown parts is refused`() async throws {
        let shop = try shop(ScriptedPSP.order())
        try await shop.createOrder()
        for expand in ["\"paid&x=1\"", "\"everything\"", "7"] {
            let body = Self.expansion(ScriptedPSP.id, expand)
            #expect(try await shop.send(.post, "/payments/expand", body).status == 400)
        }
        #expect(shop.psp.asked.count == 1)
    }
}
