internal import Inspection

/// A small page without scripts, in which all text from outside is escaped.
struct PlainPage {
    /// The document.
    let html: String

    /// The content security policy of such a page, which permits only links.
    static let policy =
        "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

    /// Creates a page with a text and, optionally, a link to continue.
    ///
    /// - Parameters:
    ///   - language: The language of its text.
    ///   - title: Its title.
    ///   - text: Its text.
    ///   - link: The address to continue to, and the text of the link.
    ///   - goesOn: Whether the browser follows the link automatically, if it supports that.
    init(
        language: String = "en",
        title: String,
        text: String,
        link: (address: String, words: String)? = nil,
        goesOn: Bool = false
    ) {
        var refresh = ""
        var anchor = ""
        if let link {
            let address = Markup.escaped(link.address)
            anchor = "<p><a href=\"\(address)\">\(Markup.escaped(link.words))</a></p>"
            if goesOn {
                refresh = "<meta http-equiv=\"refresh\" content=\"0; url=\(address)\">\n"
            }
        }
        html = Self.template.filled([
            "language": .text(language), "refresh": .markup(refresh), "title": .text(title),
            "text": .text(text), "link": .markup(anchor),
        ])
    }

    private static let template = MarkupTemplate(PackageResources.plain_html)
}
