import Foundation
import SwedbankPay

@testable import Settlement

extension FuzzTarget {
    /// A settlement report: XML, a workbook, or the text of a balance report.
    static let settlement = FuzzTarget(
        name: "settlement",
        maximumLength: 8192,
        seeds: { SettlementSeeds.files },
        growths: [
            .repeating(
                SettlementSeeds.row,
                after: "<SALES AccountingNo=\"R1-1\"><CURRENCY Sum=\"1.00\" Name=\"SEK\">",
                before: "</CURRENCY></SALES>"
            ),
            .repeating("<a/>", after: "<SALES AccountingNo=\"R1-1\">", before: "</SALES>"),
            .repeating("        - Debits    1    1.00    1.00\n", after: SettlementSeeds.head),
            .repeating(" ", after: SettlementSeeds.head),
        ],
        check: { bytes throws(Broken) in
            let file: SettlementFile
            let limits = SettlementLimits()
            do throws(UnreadableReport) {
                file = try SettlementFile.reading(bytes, within: limits)
            } catch {
                try Canary.isAbsent(from: error.message)
                try hold(!error.message.isEmpty, "an error says what is wrong")
                return false
            }
            try hold(
                (1...40).contains(file.number.utf8.count),
                "a report has a number of a few characters"
            )
            let joined = Reconciliation(SettlementReport.joining([file, file]), with: OwnLedger())
            try hold(joined.reports.count == 1, "a file that is read twice is one report")
            try hold(
                !joined.reports[0].faults.contains(.filesDiffer),
                "a file does not differ from itself"
            )
            for line in joined.lines {
                try hold(
                    line.row.amount.minorUnits.magnitude <= Money.greatest.magnitude,
                    "amounts are exact in JSON"
                )
            }
            for totals in joined.totals(of: joined.reports[0]) {
                let count = totals.results.reduce(0) { $0 + $1.sum.count }
                try hold(count == totals.all.count, "the results are all rows")
            }
            try hold(
                BookkeepingCSV.text(of: joined).utf8.count <= 40 * bytes.count + 4096,
                "an export is no larger than its rows"
            )
            return true
        }
    )
}

/// The inputs of the target.
private enum SettlementSeeds {
    static let row =
        "<TRAN TransactionNo=\"1\" Amount=\"1.00\" DateCreated=\"2026-09-08 00:00:00\""
        + " DateModified=\"2026-09-08 00:00:00\" Type=\"Swish\"/>"
    static let head =
        "Balance report\nAccounting Number:  R1-1\nAccounting Date:  2026-09-08\nCurrency:  SEK\n"
        + "Invoice summary\nFees  0.00\nVAT  0.00\nInvoiced amount  0.00\n"
        + "Sales 2026-09-08 - 2026-09-08\n"

    /// The golden files, and one with a secret in a value that is refused.
    static var files: [[UInt8]] {
        let folder = GoldenLogs.folder.deletingLastPathComponent()
            .appendingPathComponent("Fixtures/Settlement")
        let names = ["R9001-0003", "R9001-0012"].flatMap { name in
            [".xml", ".xlsx", ".txt"].map { name + $0 }
        }
        let golden = names.compactMap { name in
            (try? Data(contentsOf: folder.appendingPathComponent(name))).map { [UInt8]($0) }
        }
        let secret =
            "<SALES AccountingNo=\"R1-1\"><CURRENCY Name=\"SEK\"><TRAN TransactionNo=\""
            + Canary.text + "\" Amount=\"" + Canary.text + "\"/></CURRENCY></SALES>"
        return golden + [Array(secret.utf8)]
    }
}
