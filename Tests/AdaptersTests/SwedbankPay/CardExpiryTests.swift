import SwedbankPay
import Testing

@testable import SwedbankPayHTTP

@Suite struct CardExpiryTests {
    @Test(arguments: [
        // The turn of the year in UTC, whatever the machine's time zone and the week-based year
        // are.
        ("2026-12-31T23:59:59Z", 2026, 12), ("2027-01-01T00:00:00Z", 2027, 1),
        ("2024-12-30T00:00:00Z", 2024, 12), ("2030-12-31T00:00:00Z", 2030, 12),
    ])
    func `F-29: a card expires in the month and year of its date in UTC`(
        text: String,
        year: Int,
        month: Int
    ) {
        #expect(CardText.expiry(text) == CardExpiry(year: year, month: month))
    }

    @Test(arguments: ["", "soon", "2030-13-01T00:00:00Z", "31/12/2030", "2030-00-01"])
    func `F-29: an expiry date that cannot be read is unknown, not expired`(text: String) {
        #expect(CardText.expiry(text) == nil)
    }
}
