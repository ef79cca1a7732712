import EventLog
import Foundation
import SwedbankPay
import Testing

@testable import Settlement

/// What is exported for bookkeeping.
@Suite struct ExportTests {
    private func result(_ files: [String], _ own: [OwnTransaction] = []) throws -> Reconciliation {
        var ledger = OwnLedger()
        for transaction in own { ledger.add(transaction) }
        let read = try files.map { try SettlementFile.reading(try Reports.bytes($0)) }
        return Reconciliation(SettlementReport.joining(read), with: ledger)
    }

    private func ledger(_ files: [String]) throws -> [String] {
        var sie = BookkeepingSIE(version: "0.1.0")
        sie.numbers = [.fees: "6570"]
        let reports = try result(files).reports
        let bytes = try sie.bytes(of: reports, on: try #require(ReportDay("2026-09-15")))
        #expect(bytes.contains(0x86) && !bytes.contains(0xE5), "code page 437")
        let text = String(decoding: bytes.map { $0 == 0x86 ? 0x61 : $0 }, as: UTF8.self)
        return text.components(separatedBy: "\r\n").filter { $0.hasPrefix("#") }
    }

    @Test func `a payout is booked from the receivable to the bank, fees and VAT`() throws {
        let lines = try ledger(["R9001-0012.xml", "R9001-0012.txt"])
        #expect(
            lines.prefix(6) == [
                "#FLAGGA 0", "#PROGRAM \"workflowctl\" 0.1.0", "#FORMAT PC8", "#GEN 20260915",
                "#SIETYP 4", "#FNAMN \"9001 Exempelhandel AB\"",
            ]
        )
        #expect(lines.contains("#VER \"\" \"\" 20260914 \"Swedbank Pay R9001-0012\""))
        #expect(
            lines.filter { $0.hasPrefix("#TRANS") } == [
                "#TRANS 1930 {} 1063.66", "#TRANS 6570 {} 240.27", "#TRANS 2641 {} 60.07",
                "#TRANS 1580 {} -1364.00",
            ]
        )
    }

    @Test func `an invoice of fees is booked as a debt`() throws {
        var sie = BookkeepingSIE(version: "0.1.0")
        sie.company = "Lampor \"AB\"\\"
        let reports = try result(["R9001-0003.txt"]).reports
        let bytes = try sie.bytes(of: reports, on: try #require(ReportDay("2022-03-05")))
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(text.contains("#FNAMN \"Lampor \\\"AB\\\"/\""))
        let entries = text.components(separatedBy: "\r\n").filter { $0.hasPrefix("#TRANS") }
        #expect(
            entries == [
                "#TRANS 6040 {} 5.00", "#TRANS 2641 {} 1.25", "#TRANS 2440 {} -6.25",
            ]
        )
    }

    @Test func `a report without fees, in another currency or with contradictions is not booked`()
        throws
    {
        let day = try #require(ReportDay("2026-09-15"))
        let sie = BookkeepingSIE(version: "0.1.0")
        let list = try result(["R9001-0012.xml"]).reports
        #expect(throws: BookkeepingSIE.Obstacle.noBalance(report: "R9001-0012")) {
            try sie.bytes(of: list, on: day)
        }
        for (from, to, obstacle) in [
            ("SEK", "NOK", BookkeepingSIE.Obstacle.foreignCurrency(report: "R9001-0012")),
            ("1 063.66", "1 063.65", .faulty(report: "R9001-0012")),
        ] {
            let text = try Reports.text("R9001-0012.txt").replacing(from, with: to)
            let file = try SettlementFile.reading(Array(text.utf8))
            #expect(throws: obstacle) {
                try sie.bytes(of: SettlementReport.joining([file]), on: day)
            }
        }
    }

    @Test func `the lines of a file for spreadsheets add up to the payout, and none is a formula`()
        throws
    {
        let text = BookkeepingCSV.text(of: try result(["R9001-0012.xml", "R9001-0012.txt"]))
        let lines = text.components(separatedBy: "\r\n").dropLast().map {
            $0.components(separatedBy: ",")
        }
        #expect(lines.map(\.count) == Array(repeating: 16, count: 8))
        let sum = lines.dropFirst().reduce(Decimal(0)) { $0 + (Decimal(string: $1[8]) ?? 0) }
        #expect(sum == Decimal(string: "1063.66"))
        let hostile = MadeList(rows: [.init(number: 1, amount: 100)]).xml
            .replacing("\"Swish\"", with: "\"=HYPERLINK(&quot;http://a&quot;,1)\"")
        let file = try SettlementFile.reading(Array(hostile.utf8))
        let made = BookkeepingCSV.text(
            of: Reconciliation(SettlementReport.joining([file]), with: OwnLedger())
        )
        #expect(made.contains(",\"'=HYPERLINK(\"\"http://a\"\",1)\","))
    }

    @Test func `the results of a report add up to its rows, and these to the payout`() throws {
        let joined = try result(["R9001-0012.xml", "R9001-0012.txt"])
        let totals = joined.totals(of: joined.reports[0])
        #expect(totals.map(\.currency) == ["SEK"])
        #expect(totals[0].results.reduce(0) { $0 + $1.sum.count } == totals[0].all.count)
        #expect(totals[0].results.reduce(Amount.zero) { $0 + $1.sum.amount } == 136_400)
        #expect(totals[0].paidDirectly == 0)
        let balance = try #require(totals[0].balance)
        #expect(totals[0].all.amount - balance.fees - balance.vat == balance.paidOut)
        let invoiced = try result(["R9001-0003.xml", "R9001-0003.txt"])
        #expect(invoiced.totals(of: invoiced.reports[0])[0].paidDirectly == 7_500)
    }
}
