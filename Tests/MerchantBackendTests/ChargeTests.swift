import Adapters
import Foundation
import HTTPTypes
import MerchantBackend
import Sandbox
import Testing

/// Charges of stored tokens through the backend, with the sandbox as the PSP.
@Suite struct ChargeTests {
    private static func charge(
        _ resource: String,
        reference: String = "invoice-1",
        operation: String = "Recur",
        amount: Int = 4_900,
        more: String = ""
    ) -> String {
        """
        {"resource":"\(resource)","paymentorder":{"operation":"\(operation)","currency":"SEK",
        "amount":\(amount),"vatAmount":0,"description":"Subscription","language":"sv-SE",
        "payeeInfo":{"payeeReference":"\(reference)"}\(more)}}
        """
    }

    /// Returns a user's order that is paid and left a recurrence token.
    private func paid(_ shop: RunningShop) async throws -> String {
        let created = try await shop.send(
            "POST",
            shop.baseURL + "/payments/paymentorders",
            Shop.order(more: ",\"generateRecurrenceToken\":true")
        )
        let id = try #require((created.json["paymentOrder"] as? [String: Any])?["id"] as? String)
        let number = id.split(separator: "/").last.map { String($0) } ?? ""
        let done = try await shop.send(
            "POST",
            shop.sandbox.baseURL + "/sandbox/menu/\(number)/pay?method=CreditCard",
            as: nil
        )
        try #require(done.status == 200)
        return id
    }

    /// Returns the token that a paid order left, which only the PSP shows.
    private func token(of id: String, _ shop: RunningShop) async throws -> String {
        let shown = try await shop.send("GET", shop.sandbox.baseURL + id + "?$expand=paid", as: nil)
        let paid = (shown.json["paymentOrder"] as? [String: Any])?["paid"] as? [String: Any]
        let tokens = paid?["tokens"] as? [[String: Any]]
        return try #require(tokens?.first?["token"] as? String)
    }

    private func status(_ json: [String: Any]) -> String? {
        (json["paymentOrder"] as? [String: Any])?["status"] as? String
    }

    @Test(.timeLimit(.minutes(10)))
    func `a token is charged by naming the order that left it, once per reference`() async throws {
        let shop = try await RunningShop()
        let id = try await paid(shop)
        let charges = shop.baseURL + "/payments/charges"
        let done = try await shop.send("POST", charges, Self.charge(id))
        #expect(done.status == 201)
        #expect(status(done.json) == "Paid")
        // Sent again, as after a lost response, it is refused and not repeated.
        let again = try await shop.send("POST", charges, Self.charge(id))
        #expect((400...499).contains(again.status))
        let next = try await shop.send("POST", charges, Self.charge(id, reference: "invoice-2"))
        #expect(status(next.json) == "Paid")
        let ledger = await shop.sandbox.ledger
        #expect(ledger.orders.dropFirst().map(\.authorizedAmount) == [4_900, 4_900])
        #expect(ledger.refusedDuplicates == 1)
        await shop.shutdown()
    }

    @Test(.timeLimit(.minutes(10)))
    func `a refused charge returns a failed order with its problem, and not the token`()
        async throws
    {
        let shop = try await RunningShop()
        let id = try await paid(shop)
        let token = try await token(of: id, shop)
        let failed = try await shop.send(
            "POST",
            shop.baseURL + "/payments/charges",
            Self.charge(id, amount: 952_400)
        )
        #expect(failed.status == 201 && status(failed.json) == "Failed")
        let order = failed.json["paymentOrder"] as? [String: Any]
        let problem = (order?["failed"] as? [String: Any])?["problem"] as? [String: Any]
        #expect((problem?["type"] as? String)?.hasSuffix("acquirererrordonotretry") == true)
        #expect(!"\(failed.json)".contains(token))
        #expect(await shop.sandbox.ledger.orders.last?.authorizedAmount == 0)
        await shop.shutdown()
    }

    @Test func `stored tokens cannot be charged until allowChargeStoredTokens is switched on`()
        async throws
    {
        var features = BackendFeatures.all
        features.allowChargeStoredTokens = false
        let shop = try Shop(features: features)
        try await shop.createOrder()
        let asked = shop.psp.asked.count
        let reply = try await shop.send(.post, "/payments/charges", Self.charge(ScriptedPSP.id))
        #expect(reply.status == 401)
        #expect(reply.text.contains("allowChargeStoredTokens"))
        #expect(shop.psp.asked.count == asked)
        #expect(!BackendFeatures().allowChargeStoredTokens)
    }

    @Test func `a charge needs the caller's own paid order, a reference and a charging operation`()
        async throws
    {
        let shop = try Shop()
        try await shop.createOrder()
        let asked = shop.psp.asked.count
        let path = "/payments/charges"
        let foreign = try await shop.send(.post, path, Self.charge(ScriptedPSP.id), as: "bob")
        #expect(foreign.status == 404)
        let unknown = try await shop.send(.post, path, Self.charge(ScriptedPSP.otherID))
        #expect(unknown.status == 404)
        for body in [
            Self.charge("https://evil.example/"), Self.charge(ScriptedPSP.id, reference: ""),
            Self.charge(ScriptedPSP.id, operation: "Purchase"),
            Self.charge(ScriptedPSP.id, operation: "Payout"),
        ] {
            #expect(try await shop.send(.post, path, body).status == 400, "\(body)")
        }
        #expect(shop.psp.asked.count == asked)
        // The order exists but is unpaid: it left no token.
        #expect(try await shop.send(.post, path, Self.charge(ScriptedPSP.id)).status == 400)
        #expect(
            shop.psp.asked.allSatisfy { $0.method == .get || $0.url.hasSuffix("paymentorders") }
        )
    }

    @Test func `a token in the charge request is refused; the charged token comes from the order`()
        async throws
    {
        let shop = try Shop(
            psp: ScriptedPSP { request in
                let paid = #","paid":{"tokens":[{"type":"recurrence","token":"leaked-1"}]}"#
                return .json(
                    request.method == .post ? 201 : 200,
                    ScriptedPSP.order(status: "Paid", more: paid)
                )
            }
        )
        try await shop.createOrder()
        let own = Self.charge(ScriptedPSP.id, more: ",\"recurrenceToken\":\"mine\"")
        let refused = try await shop.send(.post, "/payments/charges", own)
        #expect(refused.status == 400 && refused.text.contains("recurrenceToken"))
        let done = try await shop.send(.post, "/payments/charges", Self.charge(ScriptedPSP.id))
        #expect(done.status == 201, "\(done.text)")
        let sent = shop.psp.asked.filter { $0.method == .post }.last.flatMap { Sent($0) }
        #expect(sent?["paymentorder.recurrenceToken"] == "leaked-1")
        #expect(sent?["paymentorder.urls.completeUrl"] == nil)
        let reference = try #require(sent?["paymentorder.payeeInfo.payeeReference"])
        #expect(reference.wholeMatch(of: /[A-Za-z0-9]{1,30}/) != nil && reference != "invoice-1")
    }
}
