import Foundation
import HTTPTypes
import MerchantBackend
import Sandbox
import TestSupport
import Testing

/// The consequences of a payment, with the sandbox as the PSP: callbacks and tokens.
@Suite struct PaidTests {
    /// Creates an order and pays it in the menu as the payer would.
    private func pay(_ shop: RunningShop, more: String = "") async throws -> String {
        let created = try await shop.send(
            "POST",
            shop.baseURL + "/payments/paymentorders",
            Shop.order(more: more)
        )
        try #require(created.status == 201)
        let id = try #require((created.json["paymentOrder"] as? [String: Any])?["id"] as? String)
        let number = id.split(separator: "/").last.map { String($0) } ?? ""
        let paid = try await shop.send(
            "POST",
            shop.sandbox.baseURL + "/sandbox/menu/\(number)/pay?method=CreditCard",
            as: nil
        )
        try #require(paid.status == 200)
        return id
    }

    @Test(.timeLimit(.minutes(10)))
    func `the PSP's callback about a paid order reaches the host, and the order reads as paid`()
        async throws
    {
        let shop = try await RunningShop()
        let id = try await pay(shop)
        let receipt = try #require(await shop.listener.nextReceipt())
        #expect(receipt.orderID == id)
        #expect(receipt.number != nil)
        let read = try await shop.send(
            "POST",
            shop.baseURL + "/payments/expand",
            "{\"resource\":\"\(id)\",\"expand\":[\"paid\"]}"
        )
        let order = try #require(read.json["paymentOrder"] as? [String: Any])
        #expect(order["status"] as? String == "Paid")
        #expect((order["paid"] as? [String: Any])?["amount"] as? Int == 10_000)
        await shop.shutdown()
    }

    @Test(.feature("O-18"), .timeLimit(.minutes(10)))
    func `a card that was stored is listed, paid with, and deleted over HTTP`() async throws {
        let shop = try await RunningShop()
        let payer = ",\"payer\":{\"payerReference\":\"payer-42\"}"
        let id = try await pay(
            shop,
            more: payer + ",\"generatePaymentToken\":true,\"generateRecurrenceToken\":true"
        )
        let kinds = try await shop.send(
            "POST",
            shop.baseURL + "/payments/tokens",
            "{\"resource\":\"\(id)\"}"
        )
        #expect(kinds.status == 200)
        #expect(kinds.json.keys.sorted() == ["recurrence"])

        let list = shop.baseURL + "/payments/payers/payer-42/paymentTokens"
        func cards() async throws -> [[String: Any]] {
            let reply = try await shop.send("GET", list)
            let owned = reply.json["payerOwnedPaymentTokens"] as? [String: Any]
            return try #require(owned?["paymentTokens"] as? [[String: Any]])
        }
        let before = try await cards()
        let card = try #require(before.first)
        let token = try #require(card["paymentToken"] as? String)
        _ = try await pay(shop, more: payer + ",\"paymentToken\":\"\(token)\"")

        let link = (card["mobileSDK"] as? [String: Any])?["delete"] as? String
        let deleted = try await shop.send(
            "PATCH",
            try #require(link),
            PaymentTokenTests.deletion
        )
        #expect(deleted.status == 200)
        #expect(try await cards().count == before.count - 1)
        await shop.shutdown()
    }

    @Test(.timeLimit(.minutes(10)))
    func `a payer is checked in over HTTP`() async throws {
        let shop = try await RunningShop()
        let root = try await shop.send("GET", shop.baseURL + "/payments/")
        let checkIn = try await shop.send(
            "POST",
            try #require(root.json["consumers"] as? String),
            """
            {"operation":"initiate-consumer-session","language":"sv-SE",
            "shippingAddressRestrictedToCountryCodes":["SE"]}
            """
        )
        #expect(checkIn.status == 200)
        let operations = try #require(checkIn.json["operations"] as? [[String: Any]])
        let view = operations.first { $0["rel"] as? String == "view-consumer-identification" }
        #expect((view?["href"] as? String)?.hasPrefix(shop.sandbox.baseURL) == true)
        #expect(checkIn.json["token"] == nil)
        await shop.shutdown()
    }
}
