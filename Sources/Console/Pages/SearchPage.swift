internal import EventLog
internal import Inspection
internal import Service
internal import SwedbankPay

/// The search for anything that a caller can say.
///
/// The text comes by `POST`, since it may be personal: no address, log or history has it.
struct SearchPage {
    /// What a search leads to.
    enum Result {
        case page(Page)
        /// The only session: it is shown at once.
        case only(SessionID)
    }

    let found: [Found]
    let isComplete: Bool
    let words: Words
    let clock: DisplayClock

    /// The page before a search.
    static func empty(_ words: Words) -> Page {
        Page(
            title: words.name(of: .search),
            section: .search,
            content: """
                <h1>\(words.name(of: .search))</h1>\(form(words))
                <p class="hint" id="find-hint">\(words.searchHelp)</p>
                """
        )
    }

    private static func form(_ words: Words) -> HTML {
        """
        <form class="big-find" method="post" action="/console/search" role="search">
        <label for="find-all">\(words.searchFor)</label>
        <input id="find-all" name="text" type="search" autocomplete="off" required minlength="3" maxlength="200">
        <button class="primary">\(words.search)</button></form>
        """
    }

    var page: Page {
        var content: HTML = "<h1>\(words.name(of: .search))</h1>\(Self.form(words))"
        if !isComplete { content += "<p class=\"band caution\">\(words.searchIncomplete)</p>" }
        if found.isEmpty {
            content += """
                <div class="empty" role="status"><p><strong>\(words.nothingFound)</strong></p><p>\(words.searchHelp)</p></div>
                """
        } else {
            content += "<p role=\"status\">\(words.found(found.count))</p>" + table
        }
        return Page(title: words.name(of: .search), section: .search, content: content)
    }

    private var table: HTML {
        DataTable(
            caption: words.foundCaption,
            columns: [
                .init(title: words.reference, style: "key"), .init(title: words.foundIn),
                .init(title: words.money), .init(title: words.state),
                .init(title: words.opened, style: "number"),
            ],
            rows: found.map { found in
                [
                    RowParts.link(to: found.row),
                    found.matches.html {
                        "<span class=\"match\">\($0.field): <b>\($0.value)</b></span> "
                    },
                    RowParts.money(of: found.row, words), RowParts.state(of: found.row, words),
                    "<time datetime=\"\(found.row.openedAt.description)\">\(String(clock.second(found.row.openedAt).prefix(16)))</time>",
                ]
            }
        ).html
    }
}

extension Console {
    func search(_ request: PageRequest) async throws(ServiceProblem) -> SearchPage.Result {
        guard let text = request.form["text"] else { return .page(SearchPage.empty(request.words)) }
        let (found, isComplete) = try await api.search(text, for: request.caller)
        if let only = found.first, found.count == 1, isComplete { return .only(only.row.session) }
        return .page(
            SearchPage(
                found: FoundList(found).ordered,
                isComplete: isComplete,
                words: request.words,
                clock: clock
            ).page
        )
    }
}
