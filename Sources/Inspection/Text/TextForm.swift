package import EventLog
internal import SwedbankPay

/// The form of text output: for a person at a terminal of some width, or for a program that needs
/// full values.
package struct TextForm: Sendable {
    /// Whether the output is a terminal.
    package var isTerminal: Bool
    /// The width in columns, if it is known.
    package var columns: Int?
    /// The colors and characters that may be used.
    package var style: Style
    /// The offset of the reader's local time from UTC at an instant.
    package var offset: @Sendable (Instant) -> Duration

    /// Creates a form.
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

/// A report with a JSON document for programs and text for people.
package protocol Explanation {
    /// The document.
    var json: JSONValue { get }
    /// The lines, each with a line end.
    func text(for form: TextForm) -> StyledText
}

extension Instant {
    /// The time as text: to the second and in local time on a terminal, as recorded otherwise.
    package func text(for form: TextForm) -> String {
        guard form.isTerminal else { return description }
        let shown = self + form.offset(self)
        return String(shown.description.prefix(19).rewriting("T", as: " "))
    }
}
