import Testing

@testable import EventLog

/// The texts of the merchant and of operators that are sealed, and those that stay readable.
@Suite struct OwnTextTests {
    @Test(arguments: [
        // Card numbers and security codes, in any notation.
        "4111111111111111", "Card 4111 1111 1111 1111 was declined", "4111-1111-1111-1111.",
        "order 4711 4111 1111 1111 1111", "ref4111111111111111x", "0004111111111111111123",
        "３７８２８２２４６３１０００５", "4761\u{200B}7390 0101 0416",
        "6011 0009 9013 9424 and 5555555555554444", "4111_1111_1111_1111", "4111/1111/1111/1111",
        "card 4111, 1111, 1111, 1111 no", "4111\n1111\t1111\r\n1111", "CVC: 123", "cvv2=1234",
        "https://a.se/4111111111111111/x",
        // Telephone numbers.
        "+46739000001", "call +46 (0)73-900 00 01 now", "0046739000001", "46739000001",
        "073-900 00 01", "0739000001", "08-123 456 78", "+14155550123", "070/123 45 67",
        "08/123 456 78", "ring 0739/000001 nu",
        // Personal numbers.
        "19850709-9805", "850709-9805", "850709+9805", "198507099805",
        "payer 19850709\u{2013}9805, born", "701063-2391",
        // E-mail addresses.
        "mail anna.andersson@example.se!", "anna%40example.se", "åsa@exempel.se and Åsa",
        "anna\u{FF20}example.se", "anna\u{FE6B}example.se",
        // Encoded ones.
        "NDExMTExMTExMTExMTExMQ==", "pan=NDExMTExMTExMTExMTExMQ",
        "Y2FyZCA0MTExIDExMTEgMTExMSAxMTEx", "a/NDExMTExMTExMTExMTExMQ/b",
        "no-NDExMTExMTExMTExMTExMQ", "MTk4NTA3MDktOTgwNQ==", "4111%201111%201111%201111",
        "%34%31%31%31%31%31%31%31%31%31%31%31%31%31%31%31", "call %2B46%2073%20900 now",
        #""4111\u00201111\u00201111\u00201111""#,
    ])
    func `numbers of cards and persons, and addresses of persons, are sealed, also in references`(
        text: String
    ) {
        #expect(!OutsideTextScreen.isHarmless(own: text))
        let isCode = ["CVC", "cvv"].contains { text.hasPrefix($0) }
        #expect(OutsideTextScreen.isHarmless(own: text, isReference: true) == isCode)
    }

    @Test(arguments: [
        "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U",
        "Authorization: Bearer sk-abc123", "5a17c24e-d459-4567-bbad-aa0f17a76119",
        "token ca59fa8437cc2fe55a2ff9ce1eed3b1e2a9d2fd5b4b9ad2f7ef2d6dc3eba7d3f x",
        "password=hunter2&x", #"{"paymentToken":"abc123"}"#, "dGhpcyBpcyBhIHRva2VuIQ==",
        "https://shop.example/done?id=7f0c&lang=sv#top", "https://anna:secret@shop.example/",
        "https://api.example/psp/paymentsessions/5a17c24e-d459-4567-bbad-aa0f17a76119",
        "see https://a.se/x/ca59fa8437cc2fe5, please",
        "swish://paymentrequest?token=a&callbackurl=b", "https://a.se/x;sid=9",
        "https://a.se/p#access_token=abc", "swish%3A%2F%2Fpaymentrequest%3Ftoken%3Dabc123",
    ])
    func `tokens, named secrets and addresses with values are sealed`(text: String) {
        #expect(!OutsideTextScreen.isHarmless(own: text))
    }

    @Test(arguments: [
        "", "order-4711", "webshop-order-2026-000123", "ORD-2026-11-20-001-A-blue-7",
        "Blå lampa, 2 st à 1 234 567,00 SEK", "0192f0c1-7c1e-7d3a-9b1e-0a1b2c3d4e5f",
        "session 01923456-7012-7345-9012-345678901234", "2026-11-20T12:00:00.123456Z",
        "2026-11-20 12:00:00 and 2026-11-21",
        "between 2026-11-20T12:00:00+01:00 and 2026-12-24",
        "https://api.payex.com/psp/errordetail/creditcard/3dsecuredeclined",
        "https://api.payex.com/psp/errordetail/paymentsessions/operationnotallowed",
        "https://shop.example/complete", "shopapp://", "about:blank", "476173******1416",
        "+46•••••0001", "merchant.com.example.shop", "workflowctl",
        "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko)", "CreditCard",
        "Invoice-PayExFinancingSe", "4111111111111112", "1234567890123456",
        "the bearer of bad news", "amount: 12500", "version 1.2.3.4", "192.168.100.200",
        "100% sure", "1,2,3,4,5,6,7,8,9,10,11,12,13", "2026/11/20/4711",
        "12/2027, 11/2026, 01/2028, 07/2029", "850709-9804", "851309-9802", "order 2026-1234",
        "20261120-0001", "202611200008", "01/2028", "070/12", "1/2/3/4/5",
        "items 010/020/030/040", "2 @ 45.00", "@merchant", "CreditCardPaymentMethodOffered",
        "amount 123456-7890",
    ])
    func `ordinary numbers, times, addresses and words stay readable`(text: String) {
        #expect(OutsideTextScreen.isHarmless(own: text))
        #expect(OutsideTextScreen.isHarmless(own: text, isReference: true))
    }

    @Test(arguments: [
        "x7Yq29PlmZ83kdK2Lm4Nb6Vc8Xz0As", "AH1234567890", "4711", "b3JkZXItNDcxMS0yMDI2",
        "2f1c0b7e9a4d4c58a1f0e6b2", "INV20261120AAAA1111",
    ])
    func `a reference may look like a token`(reference: String) {
        #expect(OutsideTextScreen.isHarmless(own: reference, isReference: true))
    }

    @Test func `a text that is too long to be searched is sealed`() {
        let long = String(repeating: "words and words. ", count: 5_000)
        #expect(!OutsideTextScreen.isHarmless(own: long))
        #expect(OutsideTextScreen.isHarmless(own: String(long.prefix(60_000))))
    }
}
