internal import EventLog
internal import Inspection
internal import Service
internal import SwedbankPay

/// What needs a person now: money that nobody knows of, and payments that only a person moves on.
struct HomePage {
    /// The number of payments that are shown of each kind.
    static let rows = 8

    /// `nil` for a reader whose role does not include it.
    let money: MoneyAtRisk?
    /// The payments that wait for somebody, by whom, the newest first.
    let waiting: [(turn: TurnName, list: ListedSessions)]
    let words: Words
    let clock: DisplayClock

    var page: Page {
        var content: HTML = "<h1>\(words.name(of: .home))</h1>"
        let lists = waiting.filter { !$0.list.rows.isEmpty }
        let unknown = money?.unknown ?? []
        let uncounted = money?.uncounted ?? 0
        if uncounted > 0 {
            content += "<p class=\"band caution\">\(words.uncounted(uncounted))</p>"
        }
        if lists.isEmpty && unknown.isEmpty && uncounted == 0 {
            content += "<p class=\"empty\"><strong>\(words.nothingToDo)</strong></p>"
        }
        if let money, !unknown.isEmpty { content += section(unknown, asOf: money.asOf) }
        for (turn, list) in lists { content += section(turn, list) }
        return Page(title: words.name(of: .home), section: .home, content: content)
    }

    private func section(_ unknown: [MoneyTotals.Payment], asOf now: Instant) -> HTML {
        let table = DataTable(
            caption: words.queueCaption,
            columns: [
                .init(title: words.reference, style: "key"),
                .init(title: words.amount, style: "amount"),
                .init(title: words.age, style: "number"), .init(title: words.state),
            ],
            rows: unknown.prefix(Self.rows).map { payment in
                [
                    "<a href=\"/console/payments/\(payment.session.description)\">\(payment.reference ?? payment.session.short)</a>",
                    "\(words.amount(payment.amount, payment.currency))",
                    "\(words.duration(now - payment.since))",
                    "\(payment.outcome.map { words.ended($0.rawValue, payment.standing) } ?? words.open)",
                ]
            }
        ).html
        let more: HTML? =
            unknown.count > Self.rows
            ? "<p><a href=\"/console/at-risk\">\(words.showAll)</a></p>" : nil
        return "<h2>\(words.queue(unknown.count))</h2>\(table)\(more)"
    }

    private func section(_ turn: TurnName, _ list: ListedSessions) -> HTML {
        let table = DataTable(
            caption: words.asOf(clock.second(list.asOf)),
            columns: [
                .init(title: words.reference, style: "key"), .init(title: words.money),
                .init(title: words.problem), .init(title: words.waits, style: "number"),
            ],
            rows: list.rows.map { row in
                [
                    RowParts.link(to: row), RowParts.money(of: row, words),
                    "\(row.problemName ?? "")",
                    "\(words.duration(list.asOf - row.lastAt))",
                ]
            }
        ).html
        let more: HTML? = list.next.map { _ in
            "<p><a href=\"\(PaymentsPage.address(["turn": turn.rawValue]))\">\(words.showAll)</a></p>"
        }
        return "<h2>\(words.waits(for: turn))</h2>\(table)\(more)"
    }
}

extension Console {
    func home(_ request: PageRequest) async throws(ServiceProblem) -> Page {
        var money: MoneyAtRisk?
        if Route.moneyAtRisk.isOpen(to: request.caller) {
            money = try await api.moneyAtRisk(for: request.caller)
        }
        var waiting: [(TurnName, ListedSessions)] = []
        for turn in SessionSummary.turnsOfPersons {
            let query = ["turn": turn.rawValue, "limit": "\(HomePage.rows)"]
            waiting.append((turn, try await api.sessions(query, for: request.caller)))
        }
        return HomePage(money: money, waiting: waiting, words: request.words, clock: clock).page
    }
}

extension Words {
    var nothingToDo: String {
        self(
            "Nothing needs a person now.",
            "Ingenting behöver en människa just nu."
        )
    }
    var showAll: String { self("Show all", "Visa alla") }
    var waits: String { self("Waits for", "Väntar i") }
    func waits(for turn: TurnName) -> String {
        self("Waits for \(name(of: turn))", "Väntar på \(name(of: turn))")
    }
}
