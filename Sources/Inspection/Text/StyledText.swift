/// Text for a person, with the role of each piece that is coloured.
///
/// Colour stands beside the words and never in them: whoever writes it makes colours from the roles, so that no words
/// can bring one of their own.
package struct StyledText: Hashable, Sendable {
    /// Words of one colour.
    package struct Piece: Hashable, Sendable {
        package var words: String
        package var role: Style.Role?
    }

    package private(set) var pieces: [Piece] = []

    package init() {}

    package init(_ words: String, _ role: Style.Role? = nil) {
        append(Piece(words: words, role: role))
    }

    /// The words without their colours.
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
    /// The words without their colours, wherever text has none.
    package var description: String { words }
}

extension Sequence<StyledText> {
    /// All of them, one after the other, with something between.
    package func joined(separator: String = "") -> StyledText {
        var whole = StyledText()
        for (index, text) in enumerated() {
            if index > 0 { whole += separator }
            whole += text
        }
        return whole
    }

    /// All of them as lines, each ended.
    package var lines: StyledText { map { $0 + "\n" }.joined() }
}
