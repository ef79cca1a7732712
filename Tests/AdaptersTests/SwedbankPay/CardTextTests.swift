import SwedbankPay
import TestSupport
import Testing

@testable import SwedbankPayHTTP

@Suite(.duty("C-03")) struct CardTextTests {
    @Test(
        arguments: [
            ("492500******0004", "492500******0004"), ("************0004", "************0004"),
            ("4761739001010416", "476173******0416"),
            ("4761 7390 0101 0416", "4761 73** **** 0416"),
            ("476173900101", "476173**0101"),
        ])
    func `a card number is shown with its middle hidden`(text: String, shown: String) {
        #expect(CardText.maskedNumber(text) == shown)
    }

    @Test(arguments: ["", "no card", "4761739001010416<script>", String(repeating: "*", count: 40)])
    func `text that is not a card number is not shown`(text: String) {
        #expect(CardText.maskedNumber(text) == nil)
    }

    @Test(
        arguments: [
            ("2030-12-31T00:00:00Z", 2030, 12), ("2030-12-31T23:59:59.999Z", 2030, 12),
            ("2030-12-31T23:30:00-02:00", 2031, 1), ("2031-01-01T00:30:00+01:00", 2030, 12),
            ("2028-02-29T23:30:00-0100", 2028, 3), ("2027-12-31T00:00:00", 2027, 12),
            ("2024-12-30", 2024, 12), ("2024-12", 2024, 12), ("12/2027", 2027, 12),
        ])
    func `a card expires in the month of its date in UTC`(text: String, year: Int, month: Int) {
        #expect(CardText.expiry(text) == CardExpiry(year: year, month: month))
    }

    @Test(
        arguments: [
            "", "soon", "2030", "2030-13-01", "2030-02-30T00:00:00Z", "2030-12-31T25:00:00Z",
            "2030-12-31T00:00:00X", "2030-12-31T00:00:00Zulu", "13/2027", "20301231", "２０３０-12-31",
        ])
    func `an expiry that cannot be read is unknown, not expired`(text: String) {
        #expect(CardText.expiry(text) == nil)
    }
}
