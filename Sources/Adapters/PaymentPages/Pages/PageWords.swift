internal import Inspection

/// The texts that a payer may see on a page.
public struct PageWords: Hashable, Sendable {
    /// The language of the texts, such as `en` or `sv-SE`.
    public var language: String
    /// The page's title.
    public var title: String
    /// The message while the page works.
    public var progress: String
    /// The message when the page did not load.
    public var trouble: String
    /// The button to continue.
    public var goOn: String
    /// The button to try again.
    public var again: String

    /// The maximum length of a text in characters.
    public static let maximumLength = 200

    /// Creates texts in a language.
    public init(
        language: String = "en",
        title: String = "Payment",
        progress: String = "One moment, please.",
        trouble: String = "The page could not be loaded.",
        goOn: String = "Continue",
        again: String = "Try again"
    ) {
        self.language = language
        self.title = title
        self.progress = progress
        self.trouble = trouble
        self.goOn = goOn
        self.again = again
    }

    /// Validates that a page can show the texts.
    func checked() throws(PageError) -> PageWords {
        for text in [language, title, progress, trouble, goOn, again] {
            guard text.count <= Self.maximumLength, Markup.canCarry(text) else {
                throw .malformed(
                    member: "words",
                    reason: "one is longer than \(Self.maximumLength) or cannot be shown"
                )
            }
        }
        return self
    }
}
