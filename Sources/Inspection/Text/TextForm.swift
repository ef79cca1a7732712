package import EventLog
internal import SwedbankPay

/// Whom text is laid out for: a person at a screen of some width, or a program that takes whole values.
package struct TextForm: Sendable {
    /// Whether a person looks at it.
    package var isTerminal: Bool
    /// The width in columns, when it is known.
    package var columns: Int?
    /// How it is coloured, and which signs may stand in it.
    package var style: Style
    /// How far the reader's local time is ahead of UTC at an instant.
    package var offset: @Sendable (Instant) -> Duration

    /// The form for this reader.
    package init(
        isTerminal: Bool,
        columns: Int?,
        style: Style,
        offset: @escaping @Sendable (Instant) -> Duration = { _ in .zero }
    ) {
        self.isTerminal = isTerminal
        self.columns = columns
        self.style = style
        self.offset = offset
    }
}

/// What is told of logs: one document for programs, and text for people.
package protocol Explanation {
    /// The document.
    var json: JSONValue { get }
    /// The lines, each ended.
    func text(for form: TextForm) -> StyledText
}
