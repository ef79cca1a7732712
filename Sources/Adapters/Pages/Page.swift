internal import Inspection

/// A complete HTML document, ready to be shown: by a web view that is handed the text, or by a web server that
/// sends it with ``headers``.
///
/// It carries its Content-Security-Policy itself, so that both ways are protected alike. What it holds acts for
/// the payer, so neither its description nor a mirror shows it.
public struct Page: Hashable, Sendable {
    /// The document, in UTF-8 once it is written out.
    public let html: String
    /// The value of the header `Content-Security-Policy`.
    public let contentSecurityPolicy: String
    /// The address that a web view has to give as the page's own, and that a browser has to find it at;
    /// nothing when any will do.
    public let baseURL: String?

    /// The headers that a web server has to send with it.
    ///
    /// The page is never kept, never sniffed, and only its origin is told to the pages that it leads to.
    public var headers: [(name: String, value: String)] {
        [
            ("Content-Type", "text/html; charset=utf-8"),
            ("Content-Security-Policy", contentSecurityPolicy),
            ("Cache-Control", "no-store"),
            ("Referrer-Policy", "strict-origin"),
            ("X-Content-Type-Options", "nosniff"),
        ]
    }

    /// Puts a document together.
    ///
    /// - Parameters:
    ///   - language: The language of its words.
    ///   - title: Its title.
    ///   - body: Markup in which everything from outside is escaped.
    ///   - script: Its one script.
    ///   - data: What the script reads.
    ///   - policy: What the page may do.
    ///   - baseURL: The page's own address.
    init(
        language: String,
        title: String,
        body: String,
        script: PageScript,
        data: PageData,
        policy: ContentSecurityPolicy,
        baseURL: String? = nil
    ) {
        // A policy within the document cannot say who may frame it; all the rest stands in both.
        html = """
            <!doctype html>
            <html lang="\(Markup.escaped(language))">
            <head>
            <meta charset="utf-8">
            <meta http-equiv="Content-Security-Policy" content="\(Markup.escaped(policy.inDocument))">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="referrer" content="strict-origin">
            <title>\(Markup.escaped(title))</title>
            <style>\(PageStyle.text)</style>
            </head>
            <body>
            \(body)
            <script type="application/json" id="page-data">\(data.json)</script>
            <script>\(script.text)</script>
            </body>
            </html>

            """
        contentSecurityPolicy = policy.text
        self.baseURL = baseURL
    }

    /// Two pages are the same when they look and act the same.
    public static func == (left: Page, right: Page) -> Bool {
        left.html == right.html && left.contentSecurityPolicy == right.contentSecurityPolicy
            && left.baseURL == right.baseURL
    }
}

extension Page: CustomStringConvertible, CustomReflectable {
    /// Never the document.
    public var description: String { "a page of \(html.utf8.count) bytes" }

    /// Nothing inside.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// The look of all pages: little, and allowed by its hash.
enum PageStyle {
    static let text = "\n" + String(decoding: PackageResources.look_css, as: UTF8.self)
}
