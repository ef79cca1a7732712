import Testing

@testable import EventLog
@testable import SwedbankPay

@Suite struct MinorUnitsTests {
    /// Amounts of ISO 4217: the currency determines the number of minor units.
    @Test(
        arguments: [
            (64_900, "SEK", "649.00"), (5, "EUR", "0.05"), (0, "NOK", "0.00"),
            (649, "JPY", "649"), (649, "ISK", "649"), (1_500, "KRW", "1500"), (7, "VND", "7"),
            (1_234, "KWD", "1.234"), (50, "BHD", "0.050"), (5, "JOD", "0.005"),
            (12_345, "CLF", "1.2345"), (-5_050, "GBP", "-50.50"),
            (Int64.min, "JPY", "-9223372036854775808"),
        ] as [(Int64, String, String)]
    )
    func `an amount is written with as many decimals as its currency has`(
        amount: Int64,
        currency: String,
        text: String
    ) {
        #expect(MinorUnits.text(Amount(amount), of: currency) == text)
    }

    @Test(
        arguments: [
            (-1, "SEK", .outOfBounds), (1 << 53, "SEK", .outOfBounds),
            (.max, "SEK", .outOfBounds), (100, "XTS", .unknownCurrency),
            (100, "sek", .unknownCurrency), (100, "", .unknownCurrency),
        ] as [(Int64, String, InvalidAmount)]
    )
    func `money is not negative, representable in a log and in a known currency`(
        amount: Int64,
        currency: String,
        reason: InvalidAmount
    ) throws {
        #expect(throws: reason) { try Money(minorUnits: amount, currency: currency) }
        #expect(try Money(minorUnits: 0, currency: "SEK").minorUnits == 0)
        #expect(try Money(minorUnits: (1 << 53) - 1, currency: "JPY").currency == "JPY")
    }

    /// An amount of zero would make the session a verification, and only the PSP can say that.
    @Test(arguments: [(0, nil), (1, 1)] as [(Int64, Amount?)])
    func `an expected amount of zero is not recorded`(minorUnits: Int64, recorded: Amount?) throws {
        let opened = Opened(
            sessionURL: Sealed(fingerprint: .zero),
            host: "api.example",
            userAgent: "test",
            expecting: try Money(minorUnits: minorUnits, currency: "SEK")
        )
        #expect(opened.amount == recorded && opened.currency == recorded.map { _ in "SEK" })
    }

    @Test(arguments: ["", "sek", "XTS", "XAU", "SEKR"])
    func `an amount in an unknown currency has no decimal text`(currency: String) {
        #expect(MinorUnits.text(100, of: currency) == nil)
    }
}
