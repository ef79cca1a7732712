package import SwedbankPay

/// What the rows of a report add up to in one currency, down to what arrives at the bank.
///
/// The sums of the results are the sum of all rows; that without what the acquirer or a bank pays
/// itself, fees and VAT is what is paid out.
package struct ReportTotals: Sendable {
    /// A number of rows and their sum.
    package struct Sum: Hashable, Sendable {
        /// The number of rows.
        package var count = 0
        /// Debits minus credits, in minor units.
        package var amount: Amount = 0

        fileprivate mutating func add(_ row: ReportRow) {
            count += 1
            amount += row.amount
        }
    }

    /// The currency, as an ISO 4217 code.
    package let currency: String
    /// The rows by result, in the order of ``LineResult/names``, without those that do not occur.
    package private(set) var results: [(name: String, sum: Sum)] = []
    /// All rows.
    package private(set) var all = Sum()
    /// The balance report in this currency.
    package let balance: BalanceReport?

    /// What the balance report states as sales, but somebody else than the PSP pays.
    ///
    /// `nil` without the rows, which alone say what the sales are.
    package var paidDirectly: Amount? {
        all.count == 0 ? nil : balance.map { all.amount - $0.payoutTotal }
    }

    /// What the balance report takes from the sales before they are paid out, by name as JSON and
    /// CSV have it: negative, also for an invoice, which charges it.
    package var charges: [(name: String, amount: Amount)] {
        guard let balance else { return [] }
        let others = paidDirectly ?? 0
        let direct = others == 0 ? [] : [("paidDirectly", -others)]
        return direct + [("fees", -balance.fees), ("vat", -balance.vat)]
    }

    fileprivate init(
        _ currency: String,
        _ lines: some Sequence<SettledLine>,
        _ balance: BalanceReport?
    ) {
        self.currency = currency
        self.balance = balance
        var sums: [String: Sum] = [:]
        for line in lines {
            sums[line.result.name, default: Sum()].add(line.row)
            all.add(line.row)
        }
        results = LineResult.names.compactMap { name in sums[name].map { (name, $0) } }
    }
}

extension Reconciliation {
    /// The totals of a report, by currency; of a balance report without its list, those of its
    /// currency.
    package func totals(of report: SettlementReport) -> [ReportTotals] {
        let own = lines(of: report)
        let currencies = Set(own.map(\.row.currency)).union(
            report.balance.map { [$0.currency] } ?? []
        )
        return currencies.sorted().map { currency in
            ReportTotals(
                currency,
                own.filter { $0.row.currency == currency },
                report.balance?.currency == currency ? report.balance : nil
            )
        }
    }
}
