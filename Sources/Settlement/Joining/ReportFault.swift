internal import EventLog
package import SwedbankPay

/// What makes a report untrustworthy as a whole: its own numbers contradict each other, or another
/// file of the same report.
package enum ReportFault: Hashable, Sendable {
    /// The file has another number of rows than it states.
    case count(stated: Int, found: Int)
    /// The rows of a currency have another sum than the file states.
    case sum(currency: String, stated: Amount, found: Amount)
    /// The rows of a service are not what the summary states.
    case service(name: String, stated: ServiceTotal, found: ServiceTotal)
    /// Two files of the report differ.
    case filesDiffer
    /// The balance report has other sales than the list.
    case sales(stated: Amount, found: Amount)
    /// The list has no rows in the balance report's currency.
    case currency(String)
    /// What is paid out or invoiced is not sales, fees and VAT together.
    case payout(stated: Amount, found: Amount)
    /// The fees of the services are not the report's fees.
    case fees(stated: Amount, found: Amount)
    /// There is no report of this number, between others that were read.
    case missing(number: String)

    /// The kind in one word, as JSON has it.
    package var name: String {
        switch self {
        case .count: "count"
        case .sum: "sum"
        case .service: "service"
        case .filesDiffer: "filesDiffer"
        case .sales: "sales"
        case .currency: "currency"
        case .payout: "payout"
        case .fees: "fees"
        case .missing: "missing"
        }
    }

    /// The fault in words.
    ///
    /// - Parameter currency: The currency of a balance report.
    /// - Returns: A sentence without its end.
    package func words(in currency: String?) -> String {
        func money(_ amount: Amount, _ code: String? = nil) -> String {
            MinorUnits.words(amount, of: code ?? currency)
        }
        func counted(_ count: Int, _ noun: String) -> String {
            "\(count) \(noun)" + (count == 1 ? "" : "s")
        }
        func total(_ total: ServiceTotal) -> String {
            "\(counted(total.debits, "debit")), \(counted(total.credits, "credit")), "
                + money(total.amount, total.currency)
        }
        switch self {
        case .count(let stated, let found):
            return "the file states \(stated) rows and has \(found)"
        case .sum(let code, let stated, let found):
            return
                "the file states \(money(stated, code)) and its rows add up to \(money(found, code))"
        case .service(let name, let stated, let found):
            return "\(name): the summary states \(total(stated)), the rows are \(total(found))"
        case .filesDiffer: return "two files of this report have different rows"
        case .sales(let stated, let found):
            return "the balance report states sales of \(money(stated)), the list \(money(found))"
        case .currency(let code):
            return "the balance report is in \(code), and the list has no rows in it"
        case .payout(let stated, let found):
            return
                "\(money(stated)) is paid out or invoiced, and its parts add up to \(money(found))"
        case .fees(let stated, let found):
            return "the fees are \(money(stated)), and their lines add up to \(money(found))"
        case .missing(let number): return "report \(number) was not read"
        }
    }
}

extension TransactionList {
    /// The contradictions between the rows and what the file states.
    var faults: [ReportFault] {
        var faults: [ReportFault] = []
        if let statedCount, statedCount != rows.count {
            faults.append(.count(stated: statedCount, found: rows.count))
        }
        var stated: [String: Amount] = [:]
        for sum in sums { stated[sum.currency, default: 0] += sum.sum }
        for (currency, sum) in stated.sorted(by: { $0.key < $1.key })
        where sum != self.sum(of: currency) {
            faults.append(.sum(currency: currency, stated: sum, found: self.sum(of: currency)))
        }
        return faults + serviceFaults
    }

    private var serviceFaults: [ReportFault] {
        services.compactMap { stated in
            var found = stated
            (found.debits, found.credits, found.amount) = (0, 0, 0)
            for row in rows where stated.covers(row) {
                if row.isCredit { found.credits += 1 } else { found.debits += 1 }
                found.amount += row.amount
            }
            return found == stated ? nil : .service(name: stated.name, stated: stated, found: found)
        }
    }

    /// Whether another file of the same report has the same transactions.
    func agrees(with other: TransactionList) -> Bool {
        func key(_ list: TransactionList) -> [[String]] {
            list.rows.map { ["\($0.number)", "\($0.amount)", $0.currency] }
                .sorted { $0.lexicographicallyPrecedes($1) }
        }
        return key(self) == key(other)
    }
}

extension ServiceTotal {
    /// Whether a row belongs to the service; the formats spell names with different capitals.
    fileprivate func covers(_ row: ReportRow) -> Bool {
        ReportField.key(row.texts[.service] ?? "") == ReportField.key(name)
            && (currency == nil || currency == row.currency)
            && (row.texts[.subsite] ?? "") == subsite
    }
}

extension BalanceReport {
    /// The contradictions within the report, and with the list of the same number.
    func faults(with list: TransactionList?) -> [ReportFault] {
        var faults: [ReportFault] = []
        let fromLines = feeLines.reduce(0) { $0 + $1.amount }
        if fromLines != fees { faults.append(.fees(stated: fees, found: fromLines)) }
        switch payment {
        case .paidOut(let amount, let transferred, _):
            if amount - fees - vat != transferred {
                faults.append(.payout(stated: transferred, found: amount - fees - vat))
            }
            if payoutTotal != amount {
                faults.append(.payout(stated: amount, found: payoutTotal))
            }
        case .invoiced(let invoiced):
            if fees + vat != invoiced {
                faults.append(.payout(stated: invoiced, found: fees + vat))
            }
        }
        guard let list else { return faults }
        guard list.currencies.contains(currency) || list.rows.isEmpty else {
            return faults + [.currency(currency)]
        }
        let found = list.sum(of: currency)
        if salesTotal != found { faults.append(.sales(stated: salesTotal, found: found)) }
        return faults
    }
}
