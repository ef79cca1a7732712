/// Text with a narrow column on the left and paragraphs on the right.
///
/// On a terminal, paragraphs are wrapped to its width; elsewhere, for programs and files, each
/// stays on one line.
package struct Paragraphs {
    private let style: Style
    private let width: Int?
    private var lines: [StyledText] = []

    /// The width of the left column.
    package static let margin = 12
    /// The maximum and the minimum width of a paragraph.
    package static let (widest, narrowest) = (100, 24)

    package init(_ form: TextForm) {
        style = form.style
        width = form.columns.map { max(Self.narrowest, min($0, Self.widest + Self.margin)) }
    }

    /// The lines, each with a line end.
    package var text: StyledText { lines.lines }

    /// Adds a line unchanged.
    package mutating func add(_ line: String) { lines.append(StyledText(line)) }

    /// Adds a line beside an empty left column, never wrapped.
    package mutating func add(verbatim line: StyledText) {
        lines.append(String(repeating: " ", count: margin) + line)
    }

    package mutating func add(_ left: String, _ paragraph: String, _ role: Style.Role?) {
        let isNarrow = margin < Self.margin
        if isNarrow, !left.isEmpty { lines.append(style.paint(left, .dim)) }
        for (index, line) in wrapped(paragraph).enumerated() {
            let head = index == 0 && !isNarrow ? left : ""
            lines.append(
                style.paint(Screen.padded(head, to: margin), .dim) + style.paint(line, role)
            )
        }
    }

    /// On a narrow terminal, the left column is above its paragraph.
    private var margin: Int { (width ?? .max) < 48 ? 2 : Self.margin }

    private func wrapped(_ paragraph: String) -> [String] {
        guard let width else { return [paragraph] }
        return Screen.wrapped(paragraph, to: max(8, width - margin))
    }
}
