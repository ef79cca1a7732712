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
            #expect(remark.hasSuffix(".") && remark.contains(" "), "\(remark)")
            // No list of reasons of which only one applies, and no word of programs.
            #expect(!remark.contains(/\([^)]*(?:, | or )/), "\(row.slug): \(remark)")
            #expect(!remark.contains(/\b[a-z]+[A-Z]|-[a-z]+-/), "\(row.slug): \(remark)")
        }
    }

    @Test(
        arguments: [
            // All of it is a list of reasons, or for developers.
            (
                "Declined (limit, funds, not cancellable, original payment missing or older than 13 "
                    + "months, owner change); see detail.", nil
            ),
            ("Reported as bad request but served as 500; inspect detail.", nil),
            ("Unexpected error, or invalid resource state; the body tells which.", nil),
            (
                "The session does not allow this operation now (stale snapshot, attempt running). "
                    + "Re-GET the session once and decide again; on abort report abort-not-allowed.",
                "The session does not allow this operation now."
            ),
            (
                "Card type (debit/credit/prepaid) is refused by contract rules.",
                "Card type (debit/credit/prepaid) is refused by contract rules."
            ),
        ] as [(String, String?)]
    )
    func `a remark leaves out lists of possible reasons and what refers to notes for engineers`(
        operatorMessage: String,
        remark: String?
    ) throws {
        var advice = try #require(ProblemCatalogue.bundled.rows.first).advice
        advice.operatorMessage = operatorMessage
        #expect(ProblemWords(advice).remark == remark)
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
