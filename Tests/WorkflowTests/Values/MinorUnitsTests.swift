import Testing

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
        #expect(MinorUnits.text(amount, of: currency) == text)
    }

    @Test(
        arguments: [
            (0, "SEK"), (-1, "SEK"), (1 << 53, "SEK"), (.max, "SEK"), (100, "XTS"), (100, "sek"),
            (100, ""),
        ] as [(Int64, String)]
    )
    func `an amount to pay is positive, representable in a log and in a known currency`(
        amount: Int64,
        currency: String
    ) {
        #expect(CurrencyAmount(minorUnits: amount, currency: currency) == nil)
        #expect(CurrencyAmount(minorUnits: 1, currency: "SEK") != nil)
        #expect(CurrencyAmount(minorUnits: (1 << 53) - 1, currency: "JPY") != nil)
    }

    @Test(arguments: ["", "sek", "XTS", "XAU", "SEKR"])
    func `an amount in an unknown currency has no decimal text`(currency: String) {
        #expect(MinorUnits.text(100, of: currency) == nil)
    }
}
