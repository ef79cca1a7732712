internal import EventLog
internal import HTTPTypes
internal import Inspection
internal import Service
internal import SwedbankPay

/// The list of payments; its filters are the address, so that a bookmark is a saved view.
struct PaymentsPage {
    /// A selection that people often want.
    enum View: CaseIterable {
        case all, open, person, merchant, unknown, failed

        var query: [String: String] {
            switch self {
            case .all: [:]
            case .open: ["open": "true"]
            case .person: ["turn": TurnName.support.rawValue]
            case .merchant: ["turn": TurnName.merchant.rawValue]
            case .unknown: ["money": MoneyState.Standing.unknown.rawValue]
            case .failed: ["outcome": Outcome.failed.rawValue]
            }
        }
    }

    /// The parameters that a form of this page may have.
    static let parameters = [
        "open", "outcome", "money", "turn", "instrument", "problem", "reference", "since", "until",
    ]
    /// The number of rows of a page.
    static let rows = 40

    let list: ListedSessions
    let query: [String: String]
    let words: Words
    let clock: DisplayClock

    /// The filters without the place in the list.
    private var filters: [String: String] { query.filter { $0.key != "before" } }

    var page: Page {
        let heading: HTML = """
            <h1>\(words.name(of: .payments))</h1>
            \(views)\(form)
            """
        return Page(
            title: words.name(of: .payments),
            section: .payments,
            content: heading + (list.rows.isEmpty ? empty : table + pages)
        )
    }

    /// The address of a list.
    static func address(_ query: [String: String]) -> String {
        let pairs = query.sorted { $0.key < $1.key }.map { name, value in
            "\(name)=\(PercentEncoding.encoded(value))"
        }
        return "/console/payments" + (pairs.isEmpty ? "" : "?" + pairs.joined(separator: "&"))
    }

    private var views: HTML {
        """
        <ul class="views">\(View.allCases.html { view in
            let mark: HTML = view.query == filters ? " aria-current=\"true\"" : ""
            return "<li><a href=\"\(Self.address(view.query))\"\(mark)>\(words.name(of: view))</a></li>"
        })</ul>

        """
    }

    // MARK: Filters

    private var form: HTML {
        let isOpen: HTML = filters.isEmpty ? "" : " open"
        return """
            <details class="filters"\(isOpen)><summary>\(words.filters)</summary>
            <form method="get" action="/console/payments">
            \(select("money", words.money, MoneyState.Standing.allCases.map { ($0.rawValue, words.name(of: $0)) }))
            \(select("turn", words.move, TurnName.allCases.map { ($0.rawValue, words.name(of: $0)) }))
            \(select("open", words.state, [("true", words.open), ("false", words.ended)]))
            \(select("outcome", words.outcome, Outcome.allCases.map { ($0.rawValue, words.name(of: $0)) }))
            \(select("instrument", words.method, Instrument.allCases.map { ($0.rawValue, words.name(of: $0)) }))
            \(input("reference", words.reference, "text", words.referenceHint))
            \(input("since", words.from, "date", nil))
            \(input("until", words.before, "date", nil))
            <button class="primary">\(words.apply)</button>
            </form></details>

            """
    }

    private func select(
        _ name: String,
        _ title: String,
        _ choices: [(value: String, title: String)]
    ) -> HTML {
        """
        <p><label for="f-\(name)">\(title)</label>
        <select id="f-\(name)" name="\(name)"><option value="">\(words.anything)</option>\(choices.html { choice in
            let mark: HTML = choice.value == filters[name] ? " selected" : ""
            return "<option value=\"\(choice.value)\"\(mark)>\(choice.title)</option>"
        })</select></p>
        """
    }

    private func input(_ name: String, _ title: String, _ type: String, _ hint: String?) -> HTML {
        """
        <p><label for="f-\(name)">\(title)</label>
        <input id="f-\(name)" name="\(name)" type="\(type)" value="\(filters[name] ?? "")" maxlength="200" placeholder="\(hint ?? "")"></p>
        """
    }

    // MARK: Rows

    private var table: HTML {
        DataTable(
            caption: words.asOf(clock.second(list.asOf)),
            columns: [
                .init(title: words.reference, style: "key"), .init(title: words.money),
                .init(title: words.move), .init(title: words.method),
                .init(title: words.state), .init(title: words.opened, style: "number"),
            ],
            rows: list.rows.map(cells)
        ).html
    }

    private func cells(of row: SessionSummary) -> [HTML] {
        [
            RowParts.link(to: row), RowParts.money(of: row, words), move(in: row),
            "\(row.label.map { label in Instrument(rawValue: label).map(words.name) ?? label } ?? "")",
            RowParts.state(of: row, words),
            "<time datetime=\"\(row.openedAt.description)\">\(String(clock.second(row.openedAt).prefix(16)))</time>",
        ]
    }

    private func move(in row: SessionSummary) -> HTML {
        guard let turn = row.facts?.turn.flatMap(TurnName.init(rawValue:)), turn != .nobody else {
            return "<span class=\"faint\">–</span>"
        }
        let style = SessionSummary.turnsOfPersons.contains(turn) ? "person" : ""
        return """
            <span class="\(style)">\(words.name(of: turn))</span> \
            <span class="faint">\(words.since(words.duration(list.asOf - row.lastAt)))</span>
            """
    }

    private var pages: HTML {
        let newest: HTML? =
            query["before"] == nil
            ? nil : "<a class=\"button\" href=\"\(Self.address(filters))\">\(words.newest)</a> "
        let older: HTML? = list.next.map { next in
            let address = Self.address(filters.merging(["before": "\(next)"]) { $1 })
            return "<a class=\"button\" rel=\"next\" href=\"\(address)\">\(words.older)</a>"
        }
        return "<p class=\"pages\">\(newest)\(older)</p>"
    }

    private var empty: HTML {
        if query["before"] != nil {
            return """
                <p class="empty">\(words.noOlder) <a href="\(Self.address(filters))">\(words.newest)</a></p>
                """
        }
        guard !filters.isEmpty else {
            return
                "<div class=\"empty\"><p><strong>\(words.noPayments)</strong></p><p>\(words.noPaymentsHint)</p></div>"
        }
        let names = filters.sorted { $0.key < $1.key }.map { "\($0.key) = \($0.value)" }
        return """
            <div class="empty"><p><strong>\(words.noMatch(names.joined(separator: ", ")))</strong></p>
            <p><a href="/console/payments">\(words.removeFilters)</a></p></div>
            """
    }
}

/// What lists show of a row.
enum RowParts {
    /// The reference, or otherwise the short identifier, which leads to the payment.
    static func link(to row: SessionSummary) -> HTML {
        "<a href=\"/console/payments/\(row.session.description)\">\(row.reference ?? row.session.short)</a>"
    }

    /// The money with a sign, so that its color is not all that tells it.
    static func money(of row: SessionSummary, _ words: Words) -> HTML {
        guard let standing = row.facts?.money.flatMap(MoneyState.Standing.init(rawValue:)) else {
            return ""
        }
        return money(standing, words.money(of: row.facts))
    }

    static func money(_ standing: MoneyState.Standing, _ text: String) -> HTML {
        """
        <span class="money m-\(standing.rawValue)"><span class="sign" aria-hidden="true">\
        \(Words.sign(of: standing))</span> \(text)</span>
        """
    }

    /// The outcome or, before the end, the phase, and the problem.
    static func state(of row: SessionSummary, _ words: Words) -> HTML {
        let standing = row.facts?.money.flatMap(MoneyState.Standing.init(rawValue:))
        let state =
            row.outcome.map { words.ended($0, standing) }
            ?? Phase(rawValue: row.phase).map(words.name) ?? row.phase
        let origin: HTML? =
            row.origin == .imported
            ? " <span class=\"tag\">\(words.imported)</span>" : nil
        let problem: HTML? = row.problemName.map { "<br><span class=\"faint\">\($0)</span>" }
        return "\(state)\(origin)\(problem)"
    }
}

extension Words {
    /// The outcome for people: a payment that was made, or may have been, is never called failed,
    /// canceled or expired.
    func ended(_ outcome: String, _ standing: MoneyState.Standing?) -> String {
        guard let known = Outcome(rawValue: outcome) else { return outcome }
        let mayBePaid = standing == .confirmed || standing == .unknown
        return known != .completed && mayBePaid ? ended : name(of: known)
    }
}

extension Console {
    func payments(_ request: PageRequest) async throws(ServiceProblem) -> Page {
        var query = request.query.filter {
            PaymentsPage.parameters.contains($0.key) || $0.key == "before"
        }
        guard query.count == request.query.count else {
            throw ServiceProblem(
                400,
                "query.unknown",
                "the address has a parameter that the list does not have",
                hint: "it has " + PaymentsPage.parameters.joined(separator: ", ")
            )
        }
        let shown = query
        // Forms send dates of the reader's time zone; the list wants times.
        for name in ["since", "until"] {
            if let day = query[name], let begin = clock.start(ofDay: day) {
                query[name] = "\(begin)"
            }
        }
        query["limit"] = "\(PaymentsPage.rows)"
        return PaymentsPage(
            list: try await api.sessions(query, for: request.caller),
            query: shown,
            words: request.words,
            clock: clock
        ).page
    }
}
