/// Escapes text from outside for HTML and XML documents.
package enum DocumentText {
    /// Escapes text for an element or an attribute; characters that no document can contain become
    /// U+FFFD.
    static func escaped(_ text: String) -> String {
        guard !Markup.canCarry(text) else { return Markup.escaped(text) }
        var carried = ""
        for scalar in text.unicodeScalars {
            carried += Markup.canCarry(String(scalar)) ? String(scalar) : "\u{FFFD}"
        }
        return Markup.escaped(carried)
    }
}
