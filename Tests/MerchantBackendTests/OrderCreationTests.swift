import Adapters
import Foundation
import HTTPTypes
import MerchantBackend
import SwedbankPay
import Synchronization
import TestSupport
import Testing

@Suite struct OrderCreationTests {
    @Test(.feature("D-08"))
    func `an order is created with the configured payee and a unique reference`() async throws {
        let shop = try Shop()
        try await shop.createOrder()
        try await shop.createOrder()
        let references = try shop.psp.asked.map { call in
            #expect(call.method == .post)
            #expect(call.url == "https://api.payex.com/psp/paymentorders")
            #expect(call.headers[.authorization] == "Bearer \(Shop.token)")
            #expect(call.headers[.contentType] == "application/json;version=3.1")
            let body = try #require(Sent(call))
            #expect(body["paymentorder.payeeInfo.payeeId"] == "payee-1")
            #expect(body["paymentorder.payeeInfo.orderReference"] == "1001")
            return try #require(body["paymentorder.payeeInfo.payeeReference"])
        }
        #expect(references.allSatisfy { $0.wholeMatch(of: /[A-Za-z0-9]{1,30}/) != nil })
        #expect(Set(references).count == 2)
        let sessions = shop.psp.asked.compactMap { $0.headers[FieldName.sessionID] }
        #expect(Set(sessions).count == 2)
        #expect(sessions.allSatisfy { UUID(uuidString: $0) != nil })
    }

    @Test(.feature("I-09")) func `the caller's payee is replaced, and known members are passed on`()
        async throws
    {
        let shop = try Shop { $0.additionalOrderMembers = ["somethingNobodyKnows"] }
        try await shop.createOrder(
            Shop.order(
                more: """
                    ,"payer":{"email":"p@example.com","nationalIdentifier":
                    {"socialSecurityNumber":"199710202392","countryCode":"SE"}},
                    "metadata":{"token":"mine"},"expandFirstInstrument":true,
                    "disableStoredPaymentDetails":true,"enablePaymentDetailsConsentCheckbox":true,
                    "somethingNobodyKnows":{"a":1},"initiatingSystemUserAgent":"x"
                    """
            ).replacingOccurrences(of: "\"payeeId\":\"\"", with: "\"payeeId\":\"thief\"")
        )
        let body = try #require(shop.psp.asked.first.flatMap { Sent($0) })
        #expect(body["paymentorder.payeeInfo.payeeId"] == "payee-1")
        #expect(body["paymentorder.payer.nationalIdentifier.countryCode"] == "SE")
        #expect(body["paymentorder.metadata.token"] == "mine")
        #expect(body["paymentorder.somethingNobodyKnows.a"] == "1")
        #expect(body["paymentorder.expandFirstInstrument"] == "1")
        #expect(body["paymentorder.initiatingSystemUserAgent"] == nil)
    }

    @Test func `the caller gets what it needs to show the payment, and no data of the merchant`()
        async throws
    {
        let reply = try await Shop().createOrder()
        #expect(reply.member("paymentOrder.id") == ScriptedPSP.id)
        #expect(reply.member("paymentOrder.availableInstruments.1") == "Swish")
        #expect(reply.member("operations.0.rel") == "view-checkout")
        #expect(reply.member("operations.1.rel") == "view-paymentsession")
        #expect(reply.member("mobileSDK") == nil)
        for word in ["capture", "update-order", "payer@example.com", "callbackUrl", "payeeInfo"] {
            #expect(!reply.text.contains(word))
        }
    }

    @Test func `an order of the second generation in instrument mode gets a setInstrument link`()
        async throws
    {
        let shop = try Shop()
        let order = Shop.order(productName: nil, more: ",\"instrument\":\"CreditCard\"")
        let reply = try await shop.createOrder(order)
        #expect(shop.psp.asked[0].headers[.contentType] == "application/json;version=2.0")
        let link = try #require(reply.member("mobileSDK.setInstrument"))
        #expect(
            link.wholeMatch(
                of: #/https://shop\.example/payments/paymentorders/[A-Za-z0-9]{22}/setInstrument/#
            ) != nil
        )
        #expect(reply.member("mobileSDK.validInstruments.1") == "Swish")
        let plain = try await shop.createOrder(Shop.order(productName: nil))
        #expect(plain.member("mobileSDK") == nil)
    }

    @Test func `the configured callback URL is put into every order and never disclosed`()
        async throws
    {
        let shop = try Shop()
        let reply = try await shop.createOrder(
            Shop.order(urls: ",\"callbackUrl\":\"https://elsewhere.example/\"")
        )
        let body = try #require(shop.psp.asked.first.flatMap { Sent($0) })
        #expect(
            body["paymentorder.urls.callbackUrl"]
                == "https://shop.example/payments/callbacks/\(Shop.secret)"
        )
        #expect(!reply.text.contains(Shop.secret))
    }

    @Test func `a wrong field is named in the refusal, and nothing is sent to the PSP`()
        async throws
    {
        let shop = try Shop()
        let order = Shop.order(more: ",\"instrument\":7")
        let typed = try await shop.send(.post, "/payments/paymentorders", order)
        #expect(typed.status == 400)
        #expect(typed.problem == "mobilesdk/badrequest")
        #expect(typed.member("source") == "body")
        #expect(typed.text.contains("instrument"))
        let unsound = Shop.order().replacingOccurrences(of: "2000,", with: "20000,")
        let reply = try await shop.send(.post, "/payments/paymentorders", unsound)
        #expect(reply.status == 400)
        #expect(reply.member("problems.0.name") == "vatAmount")
        #expect(shop.psp.asked.isEmpty)
    }

    @Test(.feature("O-20"))
    func `operations and tokens that charge without the payer are refused`() async throws {
        let shop = try Shop()
        for purpose in ["Recur", "UnscheduledPurchase", "Payout"] {
            let order = Shop.order().replacingOccurrences(of: "Purchase", with: purpose)
            let reply = try await shop.send(.post, "/payments/paymentorders", order)
            #expect(reply.status == 400)
            #expect(reply.member("problems.0.name") == "operation")
        }
        for token in ["recurrenceToken", "unscheduledToken", "someToken"] {
            let order = Shop.order(more: ",\"\(token)\":\"stolen\"")
            let reply = try await shop.send(.post, "/payments/paymentorders", order)
            #expect(reply.status == 400)
            #expect(reply.text.contains(token))
            #expect(!reply.text.contains("stolen"))
        }
        #expect(shop.psp.asked.isEmpty)
    }

    @Test func `an order whose amount the host's review rejects is refused`() async throws {
        struct FixedPrice: OrderReview {
            func review(
                _ order: PaymentOrder,
                of caller: Caller
            ) async throws -> [FieldProblem] {
                order.amount == 10_000 ? [] : [FieldProblem("amount", "must be the price")]
            }
        }
        let shop = try Shop(review: FixedPrice())
        try await shop.createOrder()
        let cheap = Shop.order().replacingOccurrences(of: "10000", with: "2000")
        let reply = try await shop.send(.post, "/payments/paymentorders", cheap)
        #expect(reply.status == 400)
        #expect(reply.member("problems.0.name") == "amount")
        #expect(shop.psp.asked.count == 1)
    }

    @Test func `only the caller's own payer reference is accepted`() async throws {
        let shop = try Shop()
        let order = Shop.order(more: ",\"payer\":{\"payerReference\":\"payer-42\"}")
        try await shop.createOrder(order, as: "alice")
        let reply = try await shop.send(.post, "/payments/paymentorders", order, as: "bob")
        #expect(reply.status == 403)
        #expect(reply.problem == "forbidden")
        #expect(reply.member("problems.0.name") == "payer.payerReference")
        #expect(shop.psp.asked.count == 1)
    }

    @Test
    func `a stored card is accepted only if the PSP lists it for the caller's payer reference`()
        async throws
    {
        func order(_ token: String, payer: String = "payer-42") -> String {
            let payer = "\"payer\":{\"payerReference\":\"\(payer)\"}"
            return Shop.order(more: ",\"paymentToken\":\"\(token)\",\(payer)")
        }
        let shop = try Shop()
        try await shop.createOrder(order("card-1"))
        for stranger in [order("card-2"), order("card-1", payer: "payer-43")] {
            let reply = try await shop.send(.post, "/payments/paymentorders", stranger)
            #expect(reply.status == 403)
            #expect(reply.member("problems.0.name") == "paymentToken")
        }
        let alone = Shop.order(more: ",\"paymentToken\":\"card-1\"")
        #expect(try await shop.send(.post, "/payments/paymentorders", alone).status == 400)
        let off = try Shop(features: BackendFeatures())
        let reply = try await off.send(.post, "/payments/paymentorders", order("card-1"))
        #expect(reply.status == 401)
        #expect(off.psp.asked.isEmpty)
    }

    @Test func `a PSP response without anything to show is reported as a bad gateway`() async throws
    {
        let bodies = [
            "{}", "[]", "not json", "",
            "{\"paymentOrder\":{\"id\":\"\(ScriptedPSP.id)\"},\"operations\":[]}",
            "{\"paymentOrder\":{\"id\":\"/psp/other\"},\"operations\":[]}",
        ]
        for body in bodies {
            let shop = try Shop(psp: ScriptedPSP { _ in .raw(201, body) })
            let reply = try await shop.send(.post, "/payments/paymentorders", Shop.order())
            #expect(reply.status == 502)
            #expect(reply.problem == "mobilesdk/badgateway")
            #expect(reply.member("gatewayStatus") == "201")
        }
    }

    @Test(.feature("D-07")) func `a payer is checked in`() async throws {
        let shop = try Shop()
        let reply = try await shop.send(
            .post,
            "/payments/consumers",
            """
            {"operation":"initiate-consumer-session","language":"sv-SE",
            "shippingAddressRestrictedToCountryCodes":["SE","NO"],"extra":1}
            """
        )
        #expect(reply.status == 200)
        #expect(reply.member("operations.0.rel") == "view-consumer-identification")
        #expect(reply.member("operations.1.rel") == nil)
        let call = try #require(shop.psp.asked.first)
        #expect(call.url == "https://api.payex.com/psp/consumers")
        #expect(!call.text.contains("extra"))
        for wrong in [
            "{}", "{\"operation\":\"x\"}", "[]",
            "{\"operation\":\"initiate-consumer-session\",\"shippingAddressRestrictedToCountryCodes\":[\"Sweden\"]}",
        ] {
            #expect(try await shop.send(.post, "/payments/consumers", wrong).status == 400)
        }
    }
}

/// The request that the PSP received, member by member.
struct Sent {
    private let value: Any

    init?(_ request: TransportRequest) {
        guard let value = try? JSONSerialization.jsonObject(with: Data(request.body ?? [])) else {
            return nil
        }
        self.value = value
    }

    subscript(_ path: String) -> String? {
        var value = value
        for part in path.split(separator: ".") {
            guard let member = (value as? [String: Any])?[String(part)] else { return nil }
            value = member
        }
        return "\(value)"
    }
}
