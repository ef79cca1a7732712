import Adapters
import HTTPTypes
import MerchantBackend
import TestSupport
import Testing

@Suite(.feature("N-44", "O-17")) struct PaymentTokenTests {
    static let list = "/payments/payers/payer-42/paymentTokens"
    static let deletion = #"{"state":"Deleted","comment":"Lost"}"#

    @Test func `stored cards are listed for their owner, with a link to delete each`() async throws
    {
        let shop = try Shop()
        let reply = try await shop.send(.get, Self.list)
        #expect(reply.status == 200)
        #expect(reply.member("payerOwnedPaymentTokens.payerReference") == "payer-42")
        let card = "payerOwnedPaymentTokens.paymentTokens.0."
        #expect(reply.member(card + "paymentToken") == "card-1")
        #expect(reply.member(card + "instrumentParameters.cardBrand") == "Visa")
        #expect(
            reply.member(card + "mobileSDK.delete")
                == "https://shop.example" + Self.list + "/card-1"
        )
        #expect(!reply.text.contains(ScriptedPSP.root))
    }

    @Test func `a payer without stored cards gets an empty list`() async throws {
        let shop = try Shop()
        let reply = try await shop.send(.get, "/payments/payers/p%26y%2Fer%3F/paymentTokens")
        #expect(reply.status == 200)
        #expect(reply.member("payerOwnedPaymentTokens.paymentTokens.0") == nil)
        #expect(shop.psp.asked.last?.url.hasSuffix("/p%26y%2Fer%3F") == true)
    }

    @Test func `a card is deleted through the PSP's own link, whose failure is reported`()
        async throws
    {
        let shop = try Shop()
        let reply = try await shop.send(.patch, Self.list + "/card-1", Self.deletion)
        #expect(reply.status == 200)
        let call = try #require(shop.psp.asked.last)
        #expect(call.method == .patch)
        #expect(call.url == ScriptedPSP.root + "/psp/paymentorders/paymenttokens/card-1")
        #expect(call.text == #"{"comment":"Lost","state":"Deleted"}"#)
        // The response waits for the PSP's.
        let slow = ScriptedPSP { request in
            request.method == .patch ? .failure(.timedOut) : ScriptedPSP.usual(request)
        }
        let late = try await Shop(psp: slow).send(.patch, Self.list + "/card-1", Self.deletion)
        #expect(late.status == 504)
        #expect(slow.asked.last?.method == .patch)
    }

    @Test func `no caller sees or deletes another payer's cards`() async throws {
        let shop = try Shop()
        #expect(try await shop.send(.get, Self.list, as: "bob").status == 404)
        let other = "/payments/payers/payer-44/paymentTokens"
        #expect(try await shop.send(.get, other).status == 404)
        let path = Self.list + "/card-1"
        #expect(try await shop.send(.patch, path, Self.deletion, as: "bob").status == 404)
        #expect(shop.psp.asked.isEmpty)
        let unknown = Self.list + "/card-2"
        #expect(try await shop.send(.patch, unknown, Self.deletion).status == 404)
        let foreign = "/payments/payers/payer-43/paymentTokens/card-1"
        #expect(try await shop.send(.patch, foreign, Self.deletion).status == 404)
        #expect(shop.psp.asked.allSatisfy { $0.method == .get })
    }

    @Test func `a change of a card to anything but the state Deleted is refused`() async throws {
        let shop = try Shop()
        for body in ["{}", #"{"state":"Active"}"#, #"{"status":"Deleted"}"#, "no"] {
            let reply = try await shop.send(.patch, Self.list + "/card-1", body)
            #expect(reply.status == 400)
        }
        #expect(shop.psp.asked.isEmpty)
    }

    @Test func `while deletion is switched off, stored cards have no delete link`() async throws {
        var features = BackendFeatures()
        features.allowGetPayerOwnedPaymentTokens = true
        let reply = try await Shop(features: features).send(.get, Self.list)
        #expect(reply.status == 200)
        #expect(!reply.text.contains("mobileSDK"))
    }
}
