internal import EventLog
internal import Inspection
internal import SwedbankPay

/// Writes the result for bookkeeping as comma-separated values, one line for each row of a report.
///
/// Fees, their VAT and what the PSP does not pay are lines with a negative amount, so that the
/// lines of a report add up to its payout.
///
/// - Note: Source: RFC 4180; OWASP, CSV injection.
package enum BookkeepingCSV {
    private static let columns = [
        "report", "date", "place", "result", "number", "service", "settled", "currency", "amount",
        "our amount", "difference", "vat", "kind", "session", "order reference",
        "payee reference",
    ]

    /// Returns the file.
    package static func text(of result: Reconciliation) -> String {
        var rows = [columns]
        for report in result.reports {
            let date = report.date?.description ?? ""
            rows += result.lines(of: report).map { row(of: $0, date) }
            for totals in result.totals(of: report) {
                rows += totals.charges.map { name, amount in
                    var row = Array(repeating: "", count: columns.count)
                    (row[0], row[1], row[3]) = (report.number, date, name)
                    (row[7], row[8]) = (totals.currency, decimal(amount, totals.currency))
                    return row
                }
            }
        }
        rows += result.missing.map { row(of: $0, "missing") }
        rows += result.waiting.map { row(of: $0, "waiting") }
        return rows.map { $0.map(cell).joined(separator: ",") + "\r\n" }.joined()
    }

    private static func row(of line: SettledLine, _ date: String) -> [String] {
        let (row, own) = (line.row, line.own)
        // The payment that an unknown row probably belongs to has no amount to compare.
        let isSame = line.result != .unknown && own?.currency ?? row.currency == row.currency
        let ours = isSame ? own?.amount : nil
        return [
            line.report, date, row.place, line.result.name, "\(row.number)",
            row.texts[.service] ?? "", "\(row.modified)", row.currency,
            decimal(row.amount, row.currency), ours.map { decimal($0, row.currency) } ?? "",
            ours.map { decimal(row.amount - $0, row.currency) } ?? "",
            row.vatAmount.map { decimal($0, row.currency) } ?? "",
        ] + words(of: own)
    }

    private static func row(of own: OwnTransaction, _ result: String) -> [String] {
        let currency = own.currency ?? ""
        return [
            "", "\(own.day)", "", result, own.number.map { "\($0)" } ?? "", "", "", currency, "",
            decimal(own.amount, currency), "", "",
        ] + words(of: own)
    }

    private static func words(of own: OwnTransaction?) -> [String] {
        guard let own else { return ["", "", "", ""] }
        return [
            own.kind.rawValue, "\(own.session)", own.orderReference ?? "",
            own.payeeReference ?? "",
        ]
    }

    private static func decimal(_ amount: Amount, _ currency: String) -> String {
        MinorUnits.text(amount, of: currency) ?? "\(amount)"
    }

    /// A cell that no spreadsheet interprets as a formula, quoted where it has to be.
    private static func cell(_ text: String) -> String {
        // A program that takes semicolons or tabs for separators sees further cells in a text.
        var text = Table.inert(text)
        for separator in [";", "\t"] {
            for first in ["=", "+", "-", "@"] {
                text = text.rewriting(separator + first, as: "\(separator)'\(first)")
            }
        }
        guard text.utf8.contains(where: { "\",\r\n".utf8.contains($0) }) else { return text }
        return "\"" + text.rewriting("\"", as: "\"\"") + "\""
    }
}
