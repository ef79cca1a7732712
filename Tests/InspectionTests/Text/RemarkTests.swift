import Adapters
import SwedbankPay
import Testing

@testable import Inspection

@Suite struct RemarkTests {
    @Test func `remarks leave out the catalogue's notes for engineers`() {
        for row in ProblemCatalogue.bundled.rows {
            guard let remark = ProblemWords(row.advice).remark else { continue }
            for mark in ["GET", "[]", "{}", "Codes", "ledger", "auto-retry", "served as", "e.g."] {
                #expect(!remark.contains(mark), "\(row.slug): \(remark)")
            }
            #expect(remark.hasSuffix("."), "\(remark)")
        }
    }

    @Test(arguments: [
        (
            "Acquirer timeout; outcome unknown, GET the order before a new attempt.",
            "Acquirer timeout."
        ),
        (
            "Reported stolen; never tell the payer the reason.",
            "Reported stolen; never tell the payer the reason."
        ),
        ("Insufficient funds or limit.", "Insufficient funds or limit."),
        (
            "Velocity limit for card or for number of different cards reached; wait, do not auto-retry.",
            "Velocity limit for card or for number of different cards reached."
        ),
    ])
    func `a remark keeps only the parts that help a payer`(
        operatorMessage: String,
        remark: String
    ) throws {
        var advice = try #require(ProblemCatalogue.bundled.rows.first).advice
        advice.operatorMessage = operatorMessage
        #expect(ProblemWords(advice).remark == remark)
    }
}
