internal import EventLog
internal import Inspection
internal import Service
internal import SwedbankPay

/// The money of all payments, and those of which nobody here knows whether they are paid, as a
/// queue: the oldest first.
struct AtRiskPage {
    /// The number of payments that are shown.
    static let rows = 200

    let money: MoneyAtRisk
    let words: Words
    let clock: DisplayClock

    var page: Page {
        let (unknown, duplicates) = (money.unknown, money.duplicates)
        var content: HTML = "<h1>\(words.name(of: .atRisk))</h1>"
        if money.uncounted > 0 {
            content += "<p class=\"band caution\">\(words.uncounted(money.uncounted))</p>"
        }
        content += "<h2>\(words.queue(unknown.count))</h2>"
        content +=
            unknown.isEmpty
            ? "<p class=\"empty\"><strong>\(words.nothingAtRisk)</strong></p>" : queue(unknown)
        if unknown.count > Self.rows {
            content +=
                "<p>\(words.more(unknown.count - Self.rows)) <a href=\"\(PaymentsPage.address(["money": "unknown"]))\">\(words.name(of: PaymentsPage.View.unknown))</a></p>"
        }
        if !duplicates.isEmpty {
            content += "<h2>\(words.possibleDuplicates)</h2><p>\(words.duplicatesHint)</p>"
            content += list(duplicates)
        }
        content += "<h2>\(words.allMoney)</h2>" + totals
        return Page(title: words.name(of: .atRisk), section: .atRisk, content: content)
    }

    private var totals: HTML {
        guard !money.totals.isEmpty else { return "<p class=\"empty\">\(words.noPayments)</p>" }
        return DataTable(
            caption: words.totals(clock.second(money.asOf)),
            columns: [
                .init(title: words.money, style: "key"),
                .init(title: words.payments, style: "amount"),
                .init(title: words.amount, style: "amount"),
                .init(title: words.oldest, style: "number"), .init(title: words.host),
            ],
            rows: money.totals.map { group, total in
                [
                    RowParts.money(group.standing, words.name(of: group.standing)),
                    "\(total.payments)",
                    "\(total.amount == nil ? words.tooLarge : words.amount(total.knownAmount, group.currency))",
                    total.oldest.map { oldest in
                        "<a href=\"/console/payments/\(oldest.session.description)\">\(words.duration(money.asOf - oldest.since))</a>"
                    } ?? "", "\(group.host)",
                ]
            }
        ).html
    }

    private func queue(_ payments: [MoneyTotals.Payment]) -> HTML {
        DataTable(
            caption: words.queueCaption,
            columns: [
                .init(title: words.age, style: "number"),
                .init(title: words.amount, style: "amount"),
                .init(title: words.reference, style: "key"), .init(title: words.state),
                .init(title: words.since), .init(title: words.evidence),
            ],
            rows: payments.prefix(Self.rows).map { payment in
                [
                    "\(words.duration(money.asOf - payment.since))",
                    "\(words.amount(payment.amount, payment.currency))",
                    "<a href=\"/console/payments/\(payment.session.description)\">\(payment.reference ?? payment.session.short)</a>",
                    "\(payment.outcome.map { words.ended($0.rawValue, payment.standing) } ?? words.open)",
                    "<time datetime=\"\(payment.since.description)\">\(String(clock.second(payment.since).prefix(16)))</time>",
                    PaymentFrame.evidence([payment.sequence], of: payment.session, words),
                ]
            }
        ).html
    }

    private func list(_ orders: [MoneyTotals.Duplicates]) -> HTML {
        DataTable(
            caption: words.possibleDuplicates,
            columns: [
                .init(title: words.order, style: "key"), .init(title: words.payments),
                .init(title: words.amount, style: "amount"),
            ],
            rows: orders.prefix(Self.rows).map { order in
                [
                    "\(order.orderReference)",
                    order.payments.html { payment in
                        "<a href=\"/console/payments/\(payment.session.description)\">\(payment.session.short)</a> "
                    },
                    order.payments.html { "\(words.amount($0.amount, $0.currency)) " },
                ]
            }
        ).html
    }
}

extension Console {
    func atRisk(_ request: PageRequest) async throws(ServiceProblem) -> Page {
        AtRiskPage(
            money: try await api.moneyAtRisk(for: request.caller),
            words: request.words,
            clock: clock
        ).page
    }
}
