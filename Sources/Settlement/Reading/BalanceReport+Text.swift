internal import EventLog
internal import SwedbankPay

extension BalanceReport {
    /// Whether text begins as a balance report does.
    static func isRecognized(_ text: String) -> Bool {
        text.utf8.drop { $0 <= 0x20 }.starts(with: "Balance report".utf8)
    }

    /// Reads the text of a balance report, laid out as `pdftotext -layout` prints it.
    ///
    /// Columns are separated by two spaces or more; thousands are grouped by one space. Lines that
    /// are not known are ignored, and the sums show whether one was missing.
    static func reading(
        text: String,
        within limits: SettlementLimits
    ) throws(UnreadableReport) -> BalanceReport {
        var reader = BalanceReader()
        for (index, line) in text.pieces(between: "\n", omittingEmptySubsequences: false)
            .enumerated()
        {
            guard index < limits.rows, line.utf8.count <= limits.valueBytes else {
                throw .limit("the report is too long", limits.rows)
            }
            try reader.read(BalanceLine(line, number: index + 1))
        }
        return try reader.finished()
    }
}

/// A line of a balance report, split into columns.
private struct BalanceLine {
    let columns: [String]
    let place: String

    /// The indentation beyond which there are only page numbers and notes in the margin.
    private static let margin = 70

    init(_ line: Substring, number: Int) {
        place = "line \(number)"
        let bytes = line.utf8.filter { $0 != 0x0C && $0 != 0x0D }
        let indentation = bytes.prefix { $0 == 0x20 }.count
        guard indentation < Self.margin else {
            columns = []
            return
        }
        columns = String(decoding: bytes, as: UTF8.self).pieces(between: "  ")
            .map { Self.trimmed($0) }.filter { !$0.isEmpty }
    }

    private static func trimmed(_ text: Substring) -> String {
        let bytes = text.utf8.drop { $0 == 0x20 }.reversed().drop { $0 == 0x20 }.reversed()
        return String(decoding: Array(bytes), as: UTF8.self)
    }

    /// The value of a column, which may be absent.
    func cell(_ column: Int) -> ReportCell? {
        columns.indices.contains(column)
            ? ReportCell(text: columns[column].rewriting(" ", as: ""), place: place) : nil
    }

    /// Returns the two days of a period; `nil` for another text.
    static func period(_ text: Substring) -> ClosedRange<ReportDay>? {
        let parts = text.pieces(between: " - ")
        guard parts.count == 2, let first = ReportDay(String(parts[0])),
            let last = ReportDay(String(parts[1])), first <= last
        else { return nil }
        return first...last
    }
}

/// Collects a balance report from its lines.
private struct BalanceReader {
    private enum Section {
        case head
        case summary
        case sales
        case payments
        case fees
    }

    private var section = Section.head
    private var number: String?
    private var date: ReportDay?
    private var merchant: String?
    private var currency: String?
    private var isInvoice = false
    private var amounts: [String: Amount] = [:]
    private var account = ""
    private var period: ClosedRange<ReportDay>?
    private var sales: [BalanceReport.Sales] = []
    private var fees: [BalanceReport.Fee] = []
    private var service = ""

    mutating func read(_ line: BalanceLine) throws(UnreadableReport) {
        guard let first = line.columns.first else { return }
        if try begins(first) { return }
        switch section {
        case .head: try readHead(first, line)
        case .summary: try readSummary(first, line)
        case .sales: try readSales(first, line)
        case .payments: break
        case .fees: try readFee(first, line)
        }
    }

    /// Whether a line begins a section.
    private mutating func begins(_ first: String) throws(UnreadableReport) -> Bool {
        let words = first.pieces(between: " ")
        switch (words.first, words.dropFirst().first) {
        case ("Payment", "summary"), ("Invoice", "summary"):
            section = .summary
            isInvoice = words[0] == "Invoice"
        case ("Sales", _):
            guard let found = BalanceLine.period(first.dropFirst("Sales ".count)) else {
                return false
            }
            (section, period) = (.sales, found)
        case ("Payments", "through"): section = .payments
        case ("Fees", "through"): section = .fees
        default: return false
        }
        return true
    }

    private mutating func readHead(
        _ first: String,
        _ line: BalanceLine
    ) throws(UnreadableReport) {
        switch first {
        case "Balance report": break
        case "Accounting Number:": number = try line.cell(1)?.reportNumber()
        case "Accounting Date:": date = try line.cell(1)?.day()
        case "Currency:": currency = line.cell(1)?.text
        // The merchant's number and name stand above the report's number.
        default: if number == nil, line.columns.count > 1 { merchant = first }
        }
    }

    private mutating func readSummary(
        _ first: String,
        _ line: BalanceLine
    ) throws(UnreadableReport) {
        guard let currency, let cell = line.cell(1) else { return }
        let name = first.utf8.starts(with: "Transferred amount".utf8) ? "Transferred" : first
        guard ["Amount", "Fees", "VAT", "Transferred", "Invoiced amount"].contains(name) else {
            return
        }
        amounts[name] = try cell.amount(of: currency)
        let parts = first.pieces(between: "(")
        if name == "Transferred", parts.count == 2 {
            account = String(parts[1].pieces(between: ")").first ?? "")
        }
    }

    private mutating func readSales(
        _ first: String,
        _ line: BalanceLine
    ) throws(UnreadableReport) {
        guard let currency else { return }
        guard first == "- Debits" || first == "- Credits" else {
            if line.columns.count == 1 { service = first }
            return
        }
        guard let quantity = line.cell(1), let amount = line.cell(2) else {
            throw UnreadableReport(.malformed, "a sum of sales is missing", at: line.place)
        }
        sales.append(
            BalanceReport.Sales(
                service: service,
                isCredit: first == "- Credits",
                quantity: try quantity.count(),
                amount: try amount.amount(of: currency),
                payout: try line.cell(3)?.amount(of: currency) ?? 0
            )
        )
    }

    /// Reads a fee: a service has quantity, sales, unit price and provision before it, a recurrent
    /// one has its period, quantity and unit price.
    private mutating func readFee(
        _ first: String,
        _ line: BalanceLine
    ) throws(UnreadableReport) {
        guard let currency else { return }
        let isService = first == "- Debits" || first == "- Credits"
        let isRecurrent =
            line.columns.count >= 5 && BalanceLine.period(line.columns[1][...]) != nil
        if isService || isRecurrent {
            let name = isService ? service : first
            guard let cell = line.cell(isService ? 5 : 4) else { return }
            fees.append(BalanceReport.Fee(name: name, amount: try cell.amount(of: currency)))
        } else if !first.utf8.starts(with: "Total ".utf8) {
            service = first
        }
    }

    func finished() throws(UnreadableReport) -> BalanceReport {
        func required<Value>(_ value: Value?, _ name: String) throws(UnreadableReport) -> Value {
            guard let value else {
                throw UnreadableReport(.malformed, "\(name) is missing in the balance report")
            }
            return value
        }
        let (fees, vat) = try (required(amounts["Fees"], "Fees"), required(amounts["VAT"], "VAT"))
        let payment: BalanceReport.Payment =
            isInvoice
            ? .invoiced(try required(amounts["Invoiced amount"], "Invoiced amount"))
            : .paidOut(
                amount: try required(amounts["Amount"], "Amount"),
                transferred: try required(amounts["Transferred"], "Transferred amount"),
                account: account
            )
        return BalanceReport(
            number: try required(number, "Accounting Number"),
            date: try required(date, "Accounting Date"),
            merchant: merchant,
            currency: try required(currency, "Currency"),
            payment: payment,
            // They are subtracted from a payout, and added to an invoice.
            fees: isInvoice ? fees : -fees,
            vat: isInvoice ? vat : -vat,
            period: period,
            sales: sales,
            feeLines: self.fees
        )
    }
}
