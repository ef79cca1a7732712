/// Text from outside in a document of HTML or XML.
package enum DocumentText {
    /// The text for an element or an attribute; characters that no document can carry show as pictures of themselves.
    static func escaped(_ text: String) -> String {
        guard !Markup.canCarry(text) else { return Markup.escaped(text) }
        var carried = ""
        for scalar in text.unicodeScalars {
            carried += Markup.canCarry(String(scalar)) ? String(scalar) : "\u{FFFD}"
        }
        return Markup.escaped(carried)
    }
}
