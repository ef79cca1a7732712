/// A page that is a file of its own, with places that are filled in.
///
/// A place is a name between double braces. What is filled in is not searched for places, so no
/// value can bring one along.
struct PageTemplate: Sendable {
    /// What is written in a place.
    enum Value {
        /// Text, which is escaped.
        case text(String)
        /// Markup, a script or a style, in which all text from outside is escaped.
        case markup(String)
    }

    private let parts: [Substring]

    /// Reads a template.
    init(_ file: [UInt8]) {
        parts = String(decoding: file, as: UTF8.self)
            .pieces(between: "{{", omittingEmptySubsequences: false)
    }

    /// Returns the page with a value in each place.
    func filled(_ values: [String: Value]) -> String {
        var page = parts.first.map(String.init) ?? ""
        for part in parts.dropFirst() {
            guard let end = part.unicodeScalars.firstRange(of: "}}".unicodeScalars),
                let value = values[String(part[..<end.lowerBound])]
            else { preconditionFailure("there is no value for the place {{\(part)") }
            switch value {
            case .text(let text): page += HTMLText.escaped(text)
            case .markup(let markup): page += markup
            }
            page += part[end.upperBound...]
        }
        return page
    }
}

/// Escapes text for HTML.
enum HTMLText {
    /// Escapes text for an element or a quoted attribute.
    static func escaped(_ text: String) -> String {
        text.rewriting("&", as: "&amp;").rewriting("<", as: "&lt;").rewriting(">", as: "&gt;")
            .rewriting("\"", as: "&quot;").rewriting("'", as: "&#39;").rewriting("`", as: "&#96;")
    }
}

/// A page with nothing but a heading and its content.
enum PlainPage {
    /// Returns the page.
    static func html(_ title: String, _ content: String) -> String {
        template.filled(["title": .text(title), "content": .markup(content)])
    }

    private static let template = PageTemplate(PackageResources.plain_html)
}
