import HTTPTypes
import MerchantBackend
import TestSupport
import Testing

/// The backend does not pass on unknown members, since a lenient PSP might treat `Payer` as
/// `payer`.
@Suite(.threat("T-47")) struct OrderMemberTests {
    /// Spellings of another payer's reference, a charge without the payer, and another payee.
    static let spellings = [
        #","Payer":{"payerReference":"victim"}"#, #","PAYER":{"payerReference":"victim"}"#,
        #","payer":{"PayerReference":"victim"}"#, #","payer":{"payerreference":"victim"}"#,
        #","payer":{"payer_reference":"victim"}"#, #","payer":{"payer-reference":"victim"}"#,
        ",\"\u{FF50}ayer\":{\"payerReference\":\"victim\"}",
        ",\"p\u{430}yer\":{\"payerReference\":\"victim\"}",
        ",\"payer\u{200B}\":{\"payerReference\":\"victim\"}",
        #","Operation":"Recur""#, #","OPERATION":"UnscheduledPurchase""#,
        #","PayeeInfo":{"payeeId":"thief"}"#, #","somethingNobodyKnows":{"a":1}"#,
        #","generateRecurrenceToken":true"#, #","generateUnscheduledToken":true"#,
        #","orderItems":[{"reference":"1","Amount":5}]"#,
        #","riskIndicator":{"pickUpAddress":{"Name":"x"}}"#,
    ]

    @Test(arguments: spellings)
    func `an order with an unknown, misspelled or disabled member is not sent to the PSP`(
        member: String
    ) async throws {
        try await expectRefused(Shop.order(more: member))
    }

    @Test(arguments: [
        #""CallbackUrl":"https://evil.example/","completeUrl""#: #""completeUrl""#,
        #""PayeeId":"thief","payeeId""#: #""payeeId""#,
        #""somethingElse":"x","payeeId""#: #""payeeId""#,
    ])
    func `an order with an unknown member inside a known object is not sent to the PSP`(
        written: String,
        known: String
    ) async throws {
        try await expectRefused(Shop.order().replacing(known, with: written))
    }

    private func expectRefused(_ order: String) async throws {
        let shop = try Shop(features: .init())
        let reply = try await shop.send(.post, "/payments/paymentorders", order)
        #expect(reply.status == 400, "\(order): \(reply.status)")
        #expect(shop.psp.asked.isEmpty, "\(order)")
    }

    @Test func `the caller's payee members are not sent to the PSP`() async throws {
        let shop = try Shop()
        let given = Shop.order().replacing(
            #""payeeInfo":{"#,
            with: #""payeeInfo":{"payeeName":"Thief","subsite":"thief","siteId":"thief","#
        )
        try await shop.createOrder(given)
        let sent = try #require(shop.psp.asked.first.flatMap { Sent($0) })
        for member in ["payeeName", "subsite", "siteId"] {
            #expect(sent["paymentorder.payeeInfo.\(member)"] == nil, "\(member)")
        }
        #expect(sent["paymentorder.payeeInfo.payeeId"] == "payee-1")
    }

    @Test func `an order that is given both as paymentOrder and as paymentorder is refused`()
        async throws
    {
        let shop = try Shop()
        let order = Shop.order()
        let twice = #"{"paymentOrder":{"payer":{"payerReference":"victim"}},"# + order.dropFirst()
        let reply = try await shop.send(.post, "/payments/paymentorders", twice)
        #expect(reply.status == 400)
        #expect(shop.psp.asked.isEmpty)
    }

    @Test(arguments: [
        #"{"Paymentorder":{"amount":1},"#, #"{"paymentorder":{"amount":1},"#,
        #"{"note":{"a":1,"a":2},"#,
    ])
    func `a body with two orders, or with any name twice, is refused`(
        beginning: String
    )
        async throws
    {
        let shop = try Shop()
        let order = Shop.order()
        let accepted = try await shop.send(.post, "/payments/paymentorders", order)
        #expect(accepted.status == 201)
        let asked = shop.psp.asked.count
        let twice = beginning + order.dropFirst()
        let reply = try await shop.send(.post, "/payments/paymentorders", twice)
        #expect(reply.status == 400)
        #expect(shop.psp.asked.count == asked)
    }
}
