/// How text is colored; color never carries meaning on its own.
package struct Style: Hashable, Sendable {
    /// Whether pieces of text keep their roles, which the writer shows as colors.
    package var isColored: Bool
    /// Whether characters beyond ASCII may be used.
    package var isUnicode: Bool

    /// Creates a style.
    package init(isColored: Bool, isUnicode: Bool) {
        self.isColored = isColored
        self.isUnicode = isUnicode
    }

    /// Plain text.
    package static let plain = Style(isColored: false, isUnicode: true)

    /// The role of a piece of text.
    package enum Role: Hashable, Sendable {
        case heading, dim, good, bad, caution, accent, payer
    }

    /// Returns the text truncated to a number of cells, with an ellipsis.
    package func cut(_ text: String, to width: Int) -> String {
        guard text.cellCount > width else { return text }
        return isUnicode
            ? Screen.cut(text, to: width) : text.prefix(cells: max(0, width - 2)) + ".."
    }

    /// Returns the text truncated to a number of cells in the middle.
    package func cutInside(_ text: String, to width: Int) -> String {
        let sign = isUnicode ? "…" : ".."
        let room = width - sign.count
        guard text.cellCount > width, room > 1 else { return cut(text, to: width) }
        return text.prefix(cells: room - room / 2) + sign + text.suffix(cells: room / 2)
    }

    /// The text with a role, or plain.
    package func paint(_ text: String, _ role: Role?) -> StyledText {
        StyledText(text, isColored ? role : nil)
    }
}
