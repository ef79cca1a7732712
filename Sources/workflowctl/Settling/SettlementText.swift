internal import EventLog
internal import Inspection
internal import Settlement
internal import SwedbankPay

/// The result of a settlement as tables.
struct SettlementText {
    let result: Reconciliation
    let form: TextForm

    /// The totals of each report, down to what arrives at the bank.
    var summary: StyledText {
        var table = Table(columns: ["report", "date", "what", "count", "amount", "currency"])
        for report in result.reports {
            for totals in result.totals(of: report) {
                table.rows += rows(of: totals).map { what, count, amount in
                    [
                        report.number, report.date?.description ?? "", what,
                        count.map { "\($0)" } ?? "", decimal(amount, totals.currency),
                        totals.currency,
                    ]
                }
            }
        }
        return table.text(for: form)
    }

    private func rows(of totals: ReportTotals) -> [(String, Int?, Amount)] {
        let sums = totals.results + [("sales", totals.all)]
        // An invoice charges what a payout leaves out, but not what others pay.
        let isInvoice = totals.balance?.invoiced != nil
        let charges = totals.charges.map { name, amount in
            (name, isInvoice && name != "paidDirectly" ? -amount : amount)
        }
        let ends = [
            ("paidOut", totals.balance?.paidOut), ("invoiced", totals.balance?.invoiced),
        ].compactMap { name, amount in amount.map { (name, $0) } }
        return sums.map { (word($0.name), $0.sum.count, $0.sum.amount) }
            + (charges + ends).map { (word($0), nil, $1) }
    }

    private func word(_ name: String) -> String {
        form.isTerminal ? Self.words[name] ?? name : name
    }

    /// What people read for the names of results and sums.
    private static let words = [
        "matched": "matched", "amountDiffers": "amount differs", "vatDiffers": "VAT differs",
        "wrongCurrency": "wrong currency", "keysDisagree": "keys disagree",
        "unknown": "unknown to us", "creditWithoutDebit": "credit without debit",
        "twice": "settled twice", "missing": "missing at the PSP",
        "doublePayment": "order paid twice", "sales": "= sales",
        "paidDirectly": "- paid by others", "fees": "fees", "vat": "VAT on fees",
        "paidOut": "= paid out", "invoiced": "= invoiced",
    ]

    /// The rows and transactions that somebody has to look at; `nil` when there are none.
    var differences: StyledText? {
        let rows =
            result.differences.map { row(of: $0, $0.result.name) }
            + result.doublePayments.flatMap { $0.map { row(of: $0, "doublePayment") } }
            + result.missing.map(row)
        guard !rows.isEmpty else { return nil }
        return Table(
            columns: [
                "difference", "report", "place", "number", "amount", "ours", "currency",
                "session", "reference",
            ],
            rows: rows
        ).text(for: form)
    }

    private func row(of line: SettledLine, _ name: String) -> [String] {
        let (row, own) = (line.row, line.own)
        let place: String
        if case .twice(let report, let first) = line.result {
            place = "\(row.place), first \(report) \(first)"
        } else {
            place = row.place
        }
        return [
            word(name), line.report, place, "\(row.number)", decimal(row.amount, row.currency),
            own.map { decimal($0.amount, $0.currency) } ?? "", row.currency,
            own.map { identifier($0.session) } ?? "",
            own?.orderReference ?? own?.payeeReference ?? "",
        ]
    }

    private func row(of own: OwnTransaction) -> [String] {
        [
            word("missing"), "", "\(own.day)", own.number.map { "\($0)" } ?? "", "",
            decimal(own.amount, own.currency), own.currency ?? "", identifier(own.session),
            own.orderReference ?? own.payeeReference ?? "",
        ]
    }

    /// An amount without its currency; in minor units when the currency is unknown.
    private func decimal(_ amount: Amount, _ currency: String?) -> String {
        currency.flatMap { MinorUnits.text(amount, of: $0) } ?? "\(amount)"
    }

    private func identifier(_ session: SessionID) -> String {
        form.isTerminal ? session.short : "\(session)"
    }

    /// What makes reports untrustworthy, and what waits, in words.
    var notes: [String] {
        var notes = result.reports.flatMap { report in
            report.faults.map {
                "warning: report \(report.number): \($0.words(in: report.balance?.currency))"
            }
        }
        for report in result.reports {
            if let names = report.list?.ignored, !names.isEmpty {
                let shown = names.map { Screen.safe($0) }.joined(separator: ", ")
                notes.append("note: report \(report.number): ignored \(shown)")
            }
            if report.balance == nil {
                notes.append(
                    "note: report \(report.number): name its balance report (PDF) too, to see "
                        + "fees and payout"
                )
            }
        }
        let late = result.lines.count {
            if case .matched(_, .some) = $0.result { true } else { false }
        }
        if late > 0 { notes.append("note: rows settled late: \(late)") }
        if let first = result.waiting.first {
            notes.append(
                "note: transactions that a later report will contain: \(result.waiting.count), "
                    + "the oldest of \(first.day)"
            )
            if result.isTooShort {
                notes.append(
                    "note: these reports span too few days to show that one of them is missing; "
                        + "compare them together with the reports before"
                )
            }
        }
        if result.notCompared > 0 {
            notes.append(
                "note: \(result.notCompared) transactions are from before the first day of these "
                    + "reports and were not compared; name the reports before, too"
            )
        }
        return notes
    }

    /// The session whose story explains the first difference.
    var firstSession: SessionID? {
        result.differences.lazy.compactMap(\.own?.session).first
            ?? result.doublePayments.first?.first?.own?.session ?? result.missing.first?.session
    }
}
