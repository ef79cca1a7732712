internal import Inspection

/// The few words that a payer may see on a page.
public struct PageWords: Hashable, Sendable {
    /// The language that the words are in, such as `en` or `sv-SE`.
    public var language: String
    /// The page's title.
    public var title: String
    /// What is going on.
    public var progress: String
    /// What a payer is told whose page did not load.
    public var trouble: String
    /// The button that goes on.
    public var goOn: String
    /// The button that tries again.
    public var again: String

    /// The longest word or sentence, in characters.
    public static let maximumLength = 200

    /// The words in a language.
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

    /// Checks that a page can show them.
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
