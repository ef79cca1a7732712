/// Escapes text for HTML.
enum HTMLText {
    /// Escapes text for an element or a quoted attribute.
    static func escaped(_ text: String) -> String {
        text.rewriting("&", as: "&amp;").rewriting("<", as: "&lt;").rewriting(">", as: "&gt;")
            .rewriting("\"", as: "&quot;").rewriting("'", as: "&#39;").rewriting("`", as: "&#96;")
    }
}
