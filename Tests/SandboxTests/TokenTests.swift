import TestSupport
import Testing

@testable import Sandbox

@Suite(.feature("N-20", "O-15")) struct TokenTests {
    private static let wishes = [
        "generatePaymentToken", "generateRecurrenceToken", "generateUnscheduledToken",
    ]

    /// Creates an order that requests all tokens, and pays it with a new card.
    private func pay(_ sandbox: SandboxServer) async throws -> MerchantDriver {
        var order = Bodies.freshOrder().setting("payer.payerReference", to: "payer-1")
        for wish in Self.wishes { order = order.setting(wish, to: true) }
        let merchant = try await MerchantDriver(sandbox, "3.1", order)
        let script = try await HTTPClient.send("GET", merchant.created.href("view-checkout"))
        let menu = try #require(script.text.firstMatch(of: /menuURL = "([^"]+)"/)?.1)
        _ = try await HTTPClient.send(
            "POST",
            "\(menu)/pay",
            form: "method=CreditCard&cardNumber=377601000000000&expiryDate=12/30&cvc=1234"
        )
        return merchant
    }

    private func list(_ sandbox: SandboxServer, _ name: String) async throws -> JSON {
        let url = "\(sandbox.baseURL)/psp/paymentorders/\(name)/payer-1"
        return try #require(try await HTTPClient.send("GET", url).json)
    }

    private func array(_ document: JSON, _ path: String) -> [JSON] {
        guard case .array(let elements)? = document.value(at: path) else { return [] }
        return elements
    }

    @Test func `a payment creates the tokens that the order requests`() async throws {
        try await withSandbox { sandbox in
            let paid = try await pay(sandbox).read("paid")
            let tokens = array(paid.json, "paymentOrder.paid.tokens")
            #expect(tokens.map { $0["type"] } == ["payment", "recurrence", "unscheduled"])
            #expect(tokens.map { $0["name"] } == .init(repeating: "377601******0000", count: 3))
            #expect(tokens.first?["expiryDate"] == "12/2030")
            #expect(paid.order("paid.paymentTokenGenerated") == true)

            let all = array(try await list(sandbox, "payerownedtokens"), "payerOwnedTokens.tokens")
            let types = all.compactMap { $0["tokenType"]?.text }
            #expect(types.filter { $0 != "Payment" } == ["Recurrence", "Unscheduled"])
            let payment = array(
                try await list(sandbox, "payerownedpaymenttokens"),
                "payerOwnedPaymentTokens.paymentTokens"
            )
            // The payer's four standard cards and the new one.
            #expect(payment.count == 5)
            let new = try #require(payment.first { $0["paymentToken"] == tokens[0]["token"] })
            #expect(new["instrumentDisplayName"] == "377601******0000")
            #expect(new.value(at: "instrumentParameters.cardBrand") == "Amex")
            #expect(new.value(at: "operations.0.rel") == "delete-paymenttokens")
        }
    }

    @Test func `a payment creates no token that the order does not request`() async throws {
        try await withSandbox { sandbox in
            let merchant = try await MerchantDriver(sandbox)
            try await merchant.pay("CreditCard")
            let paid = try await merchant.read("paid")
            #expect(paid.order("paid.tokens") == [])
            #expect(paid.order("paid.paymentTokenGenerated") == false)
        }
    }

    @Test func `a deleted card is no longer listed, offered or accepted`() async throws {
        try await withSandbox { sandbox in
            let paid = try await pay(sandbox).read("paid")
            let token = try #require(paid.order("paid.tokens.0.token")?.text)
            func order() -> JSON {
                let order = Bodies.freshOrder().setting("payer.payerReference", to: "payer-1")
                return ["paymentorder": order.setting("paymentToken", to: .string(token))]
            }
            let orders = sandbox.baseURL + "/psp/paymentorders"
            #expect(try await HTTPClient.send("POST", orders, json: order()).status == 201)
            let before = try await SessionDriver(sandbox, SandboxOrder(payerReference: "payer-1"))
            #expect(try await before.prepare().cards.first?.token == token)

            let url = "\(orders)/paymenttokens/\(token)"
            #expect(try await HTTPClient.send("GET", url).status == 200)
            let wrong = try await HTTPClient.send("PATCH", url, json: ["status": "Deleted"])
            #expect(wrong.json?.value(at: "problems.0.name") == "state")
            let body: JSON = ["state": "Deleted", "comment": "The payer asked for it"]
            let deleted = try await HTTPClient.send("PATCH", url, json: body)
            #expect(deleted.json?.value(at: "paymentToken.state") == "Deleted")
            #expect(try await HTTPClient.send("PATCH", url, json: body).status == 422)

            let payment = try await list(sandbox, "payerownedpaymenttokens")
            #expect(array(payment, "payerOwnedPaymentTokens.paymentTokens").count == 4)
            let after = try await SessionDriver(sandbox, SandboxOrder(payerReference: "payer-1"))
            #expect(try await after.prepare().cards.contains { $0.token == token } == false)
            let refused = try await HTTPClient.send("POST", orders, json: order())
            #expect(refused.status == 422)
            let type = ProblemDetail.typePrefix + "paymentorders/paymenttokeninactive"
            #expect(refused.json?["type"]?.text == type)
        }
    }

    @Test func `another payer's token is refused like an unknown one`() async throws {
        try await withSandbox { sandbox in
            let paid = try await pay(sandbox).read("paid")
            let token = try #require(paid.order("paid.tokens.0.token"))
            let orders = sandbox.baseURL + "/psp/paymentorders"
            for stranger in [token, "nobody-s"] {
                let order = Bodies.freshOrder().setting("payer.payerReference", to: "payer-2")
                    .setting("paymentToken", to: stranger)
                let refused = try await HTTPClient.send(
                    "POST",
                    orders,
                    json: ["paymentorder": order]
                )
                #expect(refused.status == 404)
                #expect(
                    refused.json?["type"]?.text
                        == ProblemDetail.typePrefix + "paymentorders/inputerror"
                )
            }
            let url = "\(orders)/recurrencetokens/\(token.text ?? "")"
            #expect(try await HTTPClient.send("GET", url).status == 404)
        }
    }

    @Test func `all tokens of a payer are deleted at once`() async throws {
        try await withSandbox { sandbox in
            _ = try await pay(sandbox)
            let operations = Snapshot(json: try await list(sandbox, "payerownedtokens"))
            let href = try operations.href("delete-payerownedtokens")
            let body: JSON = ["state": "Deleted", "comment": "The payer left"]
            let deleted = try await HTTPClient.send("PATCH", href, json: body)
            #expect(deleted.json?.value(at: "payerOwnedTokens.tokens") == [])
            #expect(try await HTTPClient.send("PATCH", href, json: body).status == 404)
            let next = try await SessionDriver(sandbox, SandboxOrder(payerReference: "payer-1"))
            #expect(try await next.prepare().cards.isEmpty)
        }
    }

    @Test func `a payer's reference may hold any characters`() async throws {
        try await withSandbox { sandbox in
            let order = Bodies.freshOrder().setting("payer.payerReference", to: "payer 4+2/å")
            _ = try await MerchantDriver(sandbox, "3.1", order)
            let lists = sandbox.baseURL + "/psp/paymentorders/payerownedpaymenttokens/"
            let response = try await HTTPClient.send("GET", lists + "payer%204+2%2F%C3%A5")
            let owned = try #require(response.json?["payerOwnedPaymentTokens"])
            #expect(owned["payerReference"] == "payer 4+2/å")
            #expect(array(owned, "paymentTokens").count == 4)
            let path = try #require(owned["id"]?.text)
            #expect(try await HTTPClient.send("GET", sandbox.baseURL + path).json == response.json)
        }
    }
}
