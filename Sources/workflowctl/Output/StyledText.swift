/// Text for a person, with the role of each piece that is coloured.
///
/// Colour stands beside the words and never in them: only ``Sink`` writes escape sequences, from the roles, so that no
/// words can bring one of their own.
struct StyledText: Hashable, Sendable {
    /// Words of one colour.
    struct Piece: Hashable, Sendable {
        var words: String
        var role: Style.Role?
    }

    private(set) var pieces: [Piece] = []

    init() {}

    init(_ words: String, _ role: Style.Role? = nil) { append(Piece(words: words, role: role)) }

    /// The words without their colours.
    var words: String { pieces.map(\.words).joined() }

    private mutating func append(_ piece: Piece) {
        guard !piece.words.isEmpty else { return }
        if let last = pieces.indices.last, piece.role == nil, pieces[last].role == nil {
            pieces[last].words += piece.words
        } else {
            pieces.append(piece)
        }
    }

    static func += (left: inout StyledText, right: StyledText) {
        for piece in right.pieces { left.append(piece) }
    }

    static func += (left: inout StyledText, right: String) { left += StyledText(right) }

    static func + (left: StyledText, right: StyledText) -> StyledText {
        var whole = left
        whole += right
        return whole
    }

    static func + (left: StyledText, right: String) -> StyledText { left + StyledText(right) }

    static func + (left: String, right: StyledText) -> StyledText { StyledText(left) + right }
}

extension StyledText: CustomStringConvertible {
    /// The words without their colours, wherever text has none.
    var description: String { words }
}

extension Sequence<StyledText> {
    /// All of them, one after the other, with something between.
    func joined(separator: String = "") -> StyledText {
        var whole = StyledText()
        for (index, text) in enumerated() {
            if index > 0 { whole += separator }
            whole += text
        }
        return whole
    }

    /// All of them as lines, each ended.
    var lines: StyledText { map { $0 + "\n" }.joined() }
}
