internal import Adapters
internal import Inspection

/// A small page without scripts, in which everything from outside is escaped.
struct PlainPage {
    /// The document.
    let html: String

    /// What such a page may do: lead on, and nothing else.
    static let policy =
        "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

    /// A page with a text and, where there is one, a link to go on with.
    ///
    /// - Parameters:
    ///   - language: The language of its words.
    ///   - title: Its title.
    ///   - text: What it says.
    ///   - link: Where it leads to, and the words on it.
    ///   - goesOn: Whether the browser follows the link by itself, where it does that.
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
        html = """
            <!doctype html>
            <html lang="\(Markup.escaped(language))">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            \(refresh)<title>\(Markup.escaped(title))</title>
            </head>
            <body>
            <p>\(Markup.escaped(text))</p>
            \(anchor)
            </body>
            </html>

            """
    }
}
