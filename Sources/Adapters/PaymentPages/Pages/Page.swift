public import HTTPTypes
internal import Inspection

/// A complete HTML document, for a web view that loads the text or a web server that sends it with
/// ``headers``.
///
/// The document contains its Content-Security-Policy, so both uses are protected alike. It holds
/// values that give access to the payment, so neither its description nor a mirror shows it.
public struct Page: Hashable, Sendable {
    /// The document, to be encoded as UTF-8.
    public let html: String
    /// The value of the header `Content-Security-Policy`.
    public let contentSecurityPolicy: String
    /// The address that a web view must set as the page's own, and at which a browser must load it;
    /// `nil` when any address will do.
    public let baseURL: String?

    /// The headers that a web server must send with the page.
    ///
    /// The page is never cached and its type never sniffed, and the pages that it leads to learn
    /// only its origin.
    public var headers: HTTPFields {
        [
            .contentType: "text/html; charset=utf-8",
            .contentSecurityPolicy: contentSecurityPolicy,
            .cacheControl: "no-store",
            .referrerPolicy: "strict-origin",
            .xContentTypeOptions: "nosniff",
        ]
    }

    /// Creates a document.
    ///
    /// - Parameters:
    ///   - language: The language of its texts.
    ///   - title: The title.
    ///   - body: Markup in which all outside text is escaped.
    ///   - script: The page's only script.
    ///   - data: The data that the script reads.
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
        // A policy within the document cannot restrict who may frame it; everything else is in
        // both.
        html = Self.template.filled([
            "language": .text(language), "policy": .text(policy.inDocument),
            "title": .text(title), "style": .markup(PageStyle.text), "body": .markup(body),
            "data": .markup(data.json), "script": .markup(script.text),
        ])
        contentSecurityPolicy = policy.text
        self.baseURL = baseURL
    }

    private static let template = MarkupTemplate(PackageResources.page_html)

    /// Two pages are equal when they look and behave the same.
    public static func == (left: Page, right: Page) -> Bool {
        left.html == right.html && left.contentSecurityPolicy == right.contentSecurityPolicy
            && left.baseURL == right.baseURL
    }
}

extension Page: CustomStringConvertible, CustomReflectable {
    /// The size, never the document.
    public var description: String { "a page of \(html.utf8.count) bytes" }

    /// An empty mirror.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// The style of all pages, permitted by its hash.
enum PageStyle {
    static let text = "\n" + String(decoding: PackageResources.look_css, as: UTF8.self)
}

extension HTTPField.Name {
    /// What a browser tells the next server about the page that it leaves.
    package static let referrerPolicy: HTTPField.Name = {
        let text = "Referrer-Policy"
        guard let name = HTTPField.Name(text) else { preconditionFailure("field name \(text)") }
        return name
    }()
}
