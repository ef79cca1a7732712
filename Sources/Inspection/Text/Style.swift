/// How text is coloured; colour never carries meaning on its own.
package struct Style: Hashable, Sendable {
    /// Whether pieces of text keep their roles, which the writer shows as colours.
    package var isColoured: Bool
    /// Whether characters beyond ASCII may be used.
    package var isUnicode: Bool

    /// Creates a style.
    package init(isColoured: Bool, isUnicode: Bool) {
        self.isColoured = isColoured
        self.isUnicode = isUnicode
    }

    /// Plain text.
    package static let plain = Style(isColoured: false, isUnicode: true)

    /// The role of a piece of text.
    package enum Role: Hashable, Sendable {
        case heading, dim, good, bad, caution, accent, payer
    }

    /// The text truncated to a width in characters, with a sign of truncation.
    package func cut(_ text: String, to width: Int) -> String {
        guard text.count > width else { return text }
        return isUnicode ? Screen.cut(text, to: width) : text.prefix(max(0, width - 2)) + ".."
    }

    /// The text shortened to a width in characters by removing its middle.
    package func cutInside(_ text: String, to width: Int) -> String {
        let sign = isUnicode ? "…" : ".."
        let room = width - sign.count
        guard text.count > width, room > 1 else { return cut(text, to: width) }
        return text.prefix(room - room / 2) + sign + text.suffix(room / 2)
    }

    /// The text with a role, or plain.
    package func paint(_ text: String, _ role: Role?) -> StyledText {
        StyledText(text, isColoured ? role : nil)
    }
}
