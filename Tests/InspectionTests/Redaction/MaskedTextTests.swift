import Testing

@testable import EventLog
@testable import Inspection
@testable import SwedbankPay

/// The parts of a text that are masked, and those that are kept.
@Suite struct MaskedTextTests {
    private func masked(_ text: String, _ style: Mask.Style = .text) -> String {
        var redactor = Redactor()
        return redactor.mask(text, style: style) ?? text
    }

    @Test(arguments: [
        ("4111111111111111", "[card number]"),
        ("Card 4111 1111 1111 1111 was declined", "Card [card number] was declined"),
        ("4111-1111-1111-1111.", "[card number]."),
        ("order 4711 4111 1111 1111 1111", "order 4711 [card number]"),
        ("ref4111111111111111x", "ref[card number]x"),
        ("0004111111111111111123", "000[card number]123"),
        ("３７８２８２２４６３１０００５", "[card number]"),
        ("4761\u{200B}7390 0101 0416", "[card number]"),
        ("6011 0009 9013 9424 and 5555555555554444", "[card number] and [card number 2]"),
        ("4111111111111111, again 4111 1111 1111 1111", "[card number], again [card number]"),
        ("CVC: 123, cvv2=1234", "CVC: [security code], cvv2=[security code 2]"),
        ("4111_1111_1111_1111", "[card number]"), ("4111/1111/1111/1111", "[card number]"),
        ("card 4111, 1111, 1111, 1111 no", "card [card number] no"),
        ("4111\n1111\t1111\r\n1111", "[card number]"),
    ])
    func `card numbers and security codes are masked in any notation`(
        text: String,
        expected: String
    ) {
        #expect(masked(text) == expected)
    }

    @Test(arguments: [
        ("+46739000001", "[telephone number]"),
        ("call +46 (0)73-900 00 01 now", "call [telephone number] now"),
        ("0046739000001", "[telephone number]"),
        ("46739000001", "[telephone number]"),
        ("073-900 00 01", "[telephone number]"),
        ("0739000001", "[telephone number]"),
        ("08-123 456 78", "[telephone number]"),
        ("+14155550123 or +442071838750", "[telephone number] or [telephone number 2]"),
        (
            "0739000001 is 46739000001 is +46 73 900 00 01",
            "[telephone number] is [telephone number] is [telephone number]"
        ),
    ])
    func `telephone numbers are masked, and all notations of one get the same mask`(
        text: String,
        expected: String
    ) {
        #expect(masked(text) == expected)
    }

    @Test(arguments: [
        (
            "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U",
            "[token]"
        ),
        ("Authorization: Bearer sk-abc123", "Authorization: Bearer [token]"),
        ("5a17c24e-d459-4567-bbad-aa0f17a76119", "[token]"),
        (
            "token ca59fa8437cc2fe55a2ff9ce1eed3b1e2a9d2fd5b4b9ad2f7ef2d6dc3eba7d3f x",
            "token [token] x"
        ),
        ("password=hunter2&x", "password=[token]&x"),
        (#"{"paymentToken":"abc123"}"#, #"{"paymentToken":"[token]"}"#),
        ("dGhpcyBpcyBhIHRva2VuIQ==", "[token]"),
        ("mail anna.andersson@example.se!", "mail [e-mail address]!"),
        ("anna%40example.se", "[e-mail address]"),
        ("åsa@exempel.se and Åsa", "[e-mail address] and Åsa"),
    ])
    func `tokens, passwords and e-mail addresses are masked`(text: String, expected: String) {
        #expect(masked(text) == expected)
    }

    @Test(arguments: [
        ("4111%201111%201111%201111", "[card number]"),
        ("%34%31%31%31%31%31%31%31%31%31%31%31%31%31%31%31", "[card number]"),
        ("card 4111%2D1111%2D1111%2D1111&x=1", "card [card number]"),
        ("call %2B46%2073%20900%2000%2001 now", "call [telephone number] now"),
        ("swish%3A%2F%2Fpaymentrequest%3Ftoken%3Dabc123", "[token]"),
        (
            "to https%3A%2F%2Fpsp.example%2Fpay%3Fid%3D7 it went", "to [value] it went"
        ),
        (#""4111\u00201111\u00201111\u00201111""#, #""[card number]""#),
        (#"{\"a\":\"4111\\u002d1111\\u002d1111\\u002d1111\"}"#, #"{\"a\":\"[card number]"}"#),
        (#""https:\/\/psp.example\/pay?id=7""#, #""[value]""#),
    ])
    func `a secret in encoded text is masked together with the encoded text around it`(
        text: String,
        expected: String
    ) {
        #expect(masked(text) == expected)
        #expect(masked(expected) == expected)
    }

    @Test(arguments: [
        (
            "https://shop.example/done?id=7f0c&lang=sv#top",
            "https://shop.example/done?id=(value)&lang=(value-2)#top"
        ),
        ("https://anna:secret@shop.example/", "https://(credentials)@shop.example/"),
        (
            "https://api.example/psp/paymentsessions/5a17c24e-d459-4567-bbad-aa0f17a76119",
            "https://api.example/psp/paymentsessions/(token)"
        ),
        ("see https://a.se/x/ca59fa8437cc2fe5, please", "see https://a.se/x/(token) please"),
        (
            "swish://paymentrequest?token=a&callbackurl=b",
            "swish://paymentrequest?token=(value)&callbackurl=(value-2)"
        ),
        ("https://a.se/4111111111111111/x", "https://a.se/(card-number)/x"),
        ("https://a.se/anna%40a.se/x;sid=9", "https://a.se/(e-mail-address)/x;sid=(value)"),
        ("https://a.se/p#access_token=abc", "https://a.se/p#access_token=(token)"),
    ])
    func `the secret parts of a URL are masked, and the result is still a URL`(
        text: String,
        expected: String
    ) {
        #expect(masked(text) == expected)
        let address = expected.split(separator: " ").first { $0.contains("://") }
        #expect(address.flatMap { AddressParts($0) } != nil)
    }

    @Test(arguments: [
        "", "order-4711", "webshop-order-2026-000123", "ORD-2026-11-20-001-A-blue-7",
        "Blå lampa, 2 st à 1 234 567,00 SEK",
        "0192f0c1-7c1e-7d3a-9b1e-0a1b2c3d4e5f", "session 01923456-7012-7345-9012-345678901234",
        "2026-11-20T12:00:00.123456Z", "2026-11-20 12:00:00 and 2026-11-21",
        "between 2026-11-20T12:00:00+01:00 and 2026-12-24",
        "https://api.payex.com/psp/errordetail/creditcard/3dsecuredeclined",
        "https://api.payex.com/psp/errordetail/paymentsessions/operationnotallowed",
        "https://shop.example/complete", "shopapp://", "about:blank",
        "sha256:ca59fa8437cc2fe55a2ff9ce1eed3b1e2a9d2fd5b4b9ad2f7ef2d6dc3eba7d3f",
        "commit 3f786850e387550fdab836ed7e6dc881de23001b",
        "476173******1416", "+46•••••0001", "merchant.com.example.shop", "workflowctl",
        "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko)",
        "CreditCard", "Invoice-PayExFinancingSe", "4111111111111112", "1234567890123456",
        "the bearer of bad news", "amount: 12500", "version 1.2.3.4", "192.168.100.200",
        "100%25 sure", "a%20b", #"a line\n and \u00e5 C:\temp"#, "%zz %4",
        "1,2,3,4,5,6,7,8,9,10,11,12,13", "2026/11/20/4711", "12/2027, 11/2026, 01/2028, 07/2029",
        "[card number]", "(value-2)", "https://a.se/?id=(value)",
    ])
    func `text without secrets is kept unchanged`(text: String) {
        #expect(masked(text) == text)
    }

    @Test
    func `a secret has one mask in every notation, and different secrets have different masks`() {
        var redactor = Redactor()
        #expect(redactor.mask("5555555555554444", style: .text) == "[card number]")
        #expect(redactor.mask("https://a.se/?c=1", style: .address) == "https://a.se/?c=(value)")
        #expect(redactor.mask("4111 1111 1111 1111", style: .text) == "[card number 2]")
        #expect(redactor.mask("x5555-5555-5555-4444", style: .text) == "x[card number]")
        #expect(redactor.mask("https://b.se/?d=2", style: .text) == "https://b.se/?d=(value-2)")
        #expect(redactor.mask("https://b.se/?d=1", style: .text) == "https://b.se/?d=(value)")
        #expect("\(redactor)" == "a redactor that has met 4 secrets")
        #expect(!String(reflecting: redactor).contains("5555"))
    }

    @Test
    func `a masked merchant's reference is still valid, and one without secrets is unchanged`() {
        #expect(masked("4111111111111111", .word) == "MASKEDCARDNUMBER")
        #expect(masked("46739000001", .word) == "MASKEDTELEPHONENUMBER")
        for reference in ["x7Yq29PlmZ83kdK2Lm4Nb6Vc8Xz0As", "AH1234567890", "4711"] {
            #expect(masked(reference, .word) == reference)
        }
        for kind in Mask.Kind.allCases {
            let mask = Mask.text(kind, number: 99_999, style: .word)
            #expect(mask.utf8.count <= 30)
            #expect(mask.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit })
            for style in [Mask.Style.text, .address, .word] {
                #expect(Mask.occurs(in: Mask.text(kind, number: 1, style: style), style: style))
                #expect(Mask.occurs(in: Mask.text(kind, number: 12, style: style), style: style))
            }
        }
        #expect(!Mask.occurs(in: "[card number 4111111111111111]", style: .text))
        #expect(!Mask.occurs(in: "[card]", style: .text) && !Mask.occurs(in: "", style: .word))
    }

    @Test func `a text that is too long to be searched is masked as a whole`() {
        let long = String(repeating: "words and words. ", count: 5_000)
        #expect(masked(long) == "[text]")
        #expect(masked(String(long.prefix(60_000))) == String(long.prefix(60_000)))
    }
}
