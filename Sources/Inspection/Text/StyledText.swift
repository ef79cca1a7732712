/// Text for display, with the role of each colored piece.
///
/// Colors are stored beside the text and never in it: the writer derives them from the roles, so
/// that no text can contain a color of its own.
package struct StyledText: Hashable, Sendable {
    /// Words of one role.
    package struct Piece: Hashable, Sendable {
        package var words: String
        package var role: Style.Role?
    }

    package private(set) var pieces: [Piece] = []

    package init() {}

    package init(_ words: String, _ role: Style.Role? = nil) {
        append(Piece(words: words, role: role))
    }

    /// The text without colors.
    package var words: String { pieces.map(\.words).joined() }

    private mutating func append(_ piece: Piece) {
        guard !piece.words.isEmpty else { return }
        if let last = pieces.indices.last, piece.role == nil, pieces[last].role == nil {
            pieces[last].words += piece.words
        } else {
            pieces.append(piece)
        }
    }

    package static func += (left: inout StyledText, right: StyledText) {
        for piece in right.pieces { left.append(piece) }
    }

    package static func += (left: inout StyledText, right: String) { left += StyledText(right) }

    package static func + (left: StyledText, right: StyledText) -> StyledText {
        var whole = left
        whole += right
        return whole
    }

    package static func + (left: StyledText, right: String) -> StyledText {
        left + StyledText(right)
    }

    package static func + (left: String, right: StyledText) -> StyledText {
        StyledText(left) + right
    }
}

extension StyledText: CustomStringConvertible {
    /// The text without colors.
    package var description: String { words }
}

extension Sequence<StyledText> {
    /// Joins the texts with a separator.
    package func joined(separator: String = "") -> StyledText {
        var whole = StyledText()
        for (index, text) in enumerated() {
            if index > 0 { whole += separator }
            whole += text
        }
        return whole
    }

    /// The texts as lines, each with a line end.
    package var lines: StyledText { map { $0 + "\n" }.joined() }
}
