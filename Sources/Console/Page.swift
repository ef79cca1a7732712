internal import HTTPTypes
internal import Inspection
internal import Service

/// A page before it is put into the layout.
struct Page: Sendable {
    /// The part of the console to which a page belongs.
    enum Section: String, CaseIterable, Sendable {
        case home = "", payments, search, atRisk = "at-risk"

        /// The endpoint whose roles may open it.
        var route: Route {
            switch self {
            case .home, .payments: .listSessions
            case .search: .search
            case .atRisk: .moneyAtRisk
            }
        }
    }

    var title: String
    var section: Section?
    var status = HTTPResponse.Status.ok
    var content: HTML
}

extension Page {
    private static let template = MarkupTemplate(PackageResources.layout_html)

    /// Everything of every response that a browser has to know: nothing is fetched from elsewhere,
    /// no other page frames this one, and no script makes markup of text.
    ///
    /// - Note: Source: Content Security Policy Level 3 and Trusted Types (W3C).
    static let policy = [
        "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self'",
        "connect-src 'self'", "form-action 'self'", "base-uri 'none'", "frame-ancestors 'none'",
        "require-trusted-types-for 'script'", "trusted-types fragment",
    ].joined(separator: "; ")

    /// The fields of every response of the console.
    static let fields: HTTPFields = [
        .contentSecurityPolicy: policy,
        .xContentTypeOptions: "nosniff",
        .referrerPolicy: "same-origin",
        .openerPolicy: "same-origin",
        .resourcePolicy: "same-origin",
        .permissionsPolicy: "camera=(), geolocation=(), microphone=(), payment=()",
        .cacheControl: "no-store",
    ]

    /// The document; `caller` is `nil` before the reader has signed in.
    func document(for caller: Caller?, at path: String, in words: Words) -> String {
        Self.template.filled([
            "language": .text(words.language.rawValue),
            "title": .text(Screen.safe(title)), "product": .text(words.product),
            "style": .text(Asset.style.address), "script": .text(Asset.script.address),
            "icon": .text(Asset.icon.address), "skip": .text(words.skip),
            "header": .markup(header(for: caller, at: path, in: words).text),
            "content": .markup(content.text),
            "footer": .markup(Self.footer(at: path, in: words).text),
        ])
    }

    private func header(for caller: Caller?, at path: String, in words: Words) -> HTML {
        guard let caller else {
            return "<p class=\"brand\"><span aria-hidden=\"true\">◆</span> \(words.product)</p>"
        }
        let sections = Section.allCases.filter { $0.route.isOpen(to: caller) }
        return """
            <p class="brand"><a href="/console/"><span aria-hidden="true">◆</span> \(words.product)</a></p>
            <nav aria-label="\(words.navigation)"><ul>\(sections.html { section in
                let mark: HTML = section == self.section ? " aria-current=\"page\"" : ""
                return "<li><a href=\"/console/\(section.rawValue)\"\(mark)>\(words.name(of: section))</a></li>"
            })</ul></nav>
            \(sections.contains(.search) ? Self.search(in: words) : .none)
            <form class="who" method="post" action="/console/sign-out">
            <span>\(words.signedIn(caller.name))</span> <button class="quiet">\(words.signOut)</button></form>
            """
    }

    private static func search(in words: Words) -> HTML {
        """
        <form class="find" method="post" action="/console/search" role="search">
        <label class="hidden" for="find">\(words.searchFor)</label>
        <input id="find" name="text" type="search" autocomplete="off" maxlength="200" placeholder="\(words.searchHint)">
        <button>\(words.search)</button></form>
        """
    }

    private static func footer(at path: String, in words: Words) -> HTML {
        """
        <form method="post" action="/console/language"><input type="hidden" name="next" value="\(path)">
        <span>\(words.languageLabel)</span> \(Language.allCases.html { language in
            let mark: HTML = language == words.language ? " aria-pressed=\"true\"" : " aria-pressed=\"false\""
            return "<button class=\"quiet\" name=\"language\" value=\"\(language.rawValue)\" lang=\"\(language.rawValue)\"\(mark)>\(language.name)</button> "
        })</form>
        """
    }
}

extension ServiceResponse {
    /// A response of the console.
    static func console(
        _ status: HTTPResponse.Status,
        _ text: some Sequence<UInt8>,
        type: String
    ) -> ServiceResponse {
        var head = HTTPResponse(status: status, headerFields: Page.fields)
        head.headerFields[.contentType] = type
        return ServiceResponse(head: head, body: .whole(Array(text)))
    }

    /// A redirect within the console.
    static func redirect(to path: String) -> ServiceResponse {
        var response = console(.seeOther, [], type: "text/plain")
        response.head.headerFields[.location] = path
        return response
    }
}
