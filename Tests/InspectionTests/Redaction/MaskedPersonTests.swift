import Testing

@testable import EventLog
@testable import Inspection
@testable import SwedbankPay

/// Telephone, card and personal numbers and e-mail addresses in the forms in which people write
/// them.
@Suite struct MaskedPersonTests {
    private func masked(_ text: String, _ style: Mask.Style = .text) -> String {
        var redactor = Redactor()
        return redactor.mask(text, style: style) ?? text
    }

    @Test(arguments: [
        ("19850709-9805", "[personal number]"), ("850709-9805", "[personal number]"),
        ("850709+9805", "[personal number]"), ("198507099805", "[personal number]"),
        ("payer 19850709\u{2013}9805, born", "payer [personal number], born"),
        ("701063-2391", "[personal number]"),
        ("19850709-9805 is 850709-9805", "[personal number] is [personal number]"),
        ("070/123 45 67", "[telephone number]"), ("08/123 456 78", "[telephone number]"),
        ("ring 0739/000001 nu", "ring [telephone number] nu"),
        ("anna\u{FF20}example.se", "[e-mail address]"),
        ("mail anna\u{FF20}example\u{FF0E}se!", "mail [e-mail address]!"),
        ("anna\u{FE6B}example.se", "[e-mail address]"),
        ("NDExMTExMTExMTExMTExMQ==", "[card number]"),
        ("pan=NDExMTExMTExMTExMTExMQ", "pan=[card number]"),
        ("Y2FyZCA0MTExIDExMTEgMTExMSAxMTEx", "[card number]"),
        ("a/NDExMTExMTExMTExMTExMQ/b", "a/[card number]/b"),
        ("no-NDExMTExMTExMTExMTExMQ", "no-[card number]"),
        ("MTk4NTA3MDktOTgwNQ==", "[personal number]"),
    ])
    func `personal, telephone and card numbers and e-mail addresses are masked in any notation`(
        text: String,
        expected: String
    ) {
        #expect(masked(text) == expected)
        #expect(masked(expected) == expected)
    }

    @Test func `a reference with a card number in base64 is masked; one like a token is kept`() {
        #expect(masked("NDExMTExMTExMTExMTExMQ==", .word) == "MASKEDCARDNUMBER")
        #expect(masked("order-NDExMTExMTExMTExMTExMQ", .word) == "MASKEDCARDNUMBER")
        for reference in [
            "b3JkZXItNDcxMS0yMDI2", "2f1c0b7e9a4d4c58a1f0e6b2", "INV20261120AAAA1111",
        ] {
            #expect(masked(reference, .word) == reference)
        }
    }

    @Test(arguments: [
        // No valid check digit, no valid date, or something else altogether.
        "850709-9804", "851309-9802", "order 2026-1234", "20261120-0001", "202611200008",
        "01/2028", "12/2027, 11/2026, 01/2028, 07/2029", "2026/11/20/4711", "070/12", "1/2/3/4/5",
        "items 010/020/030/040", "2 @ 45.00", "@merchant", "CreditCardPaymentMethodOffered",
        "amount 123456-7890",
    ])
    func `ordinary numbers, lists and words are kept unchanged`(text: String) {
        #expect(masked(text) == text)
    }
}
