internal import EventLog

/// What operators write about their actions, and which of it a log may contain in the clear.
///
/// Names, reasons and evidence are not sealed: whoever may read the log reads them. Personal data
/// belongs in a note, which is sealed.
public enum OperatorText {
    /// The maximum length of a name, of a reason or evidence, and of a note, in bytes.
    package static let (nameLimit, reasonLimit, noteLimit) = (200, 500, 4_000)
    /// The number of digits from which on a number may be that of a person or card.
    package static let digitsLimit = 9

    /// Whether a text can be recorded as somebody's name.
    public static func isName(_ text: String) -> Bool { isAccount(text) && isFit(text) }

    /// Whether a text can be recorded as the name of an account on a machine or in a directory,
    /// which may have numbers and the form of an e-mail address.
    package static func isAccount(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count <= nameLimit && isLine(text)
    }

    /// Whether a text can be recorded in the clear as the reason for an action.
    public static func isReason(_ text: String) -> Bool {
        text.contains { !$0.isWhitespace } && text.utf8.count <= reasonLimit && isFit(text)
    }

    /// Whether a text can be recorded in the clear as the evidence of a finding.
    ///
    /// Unlike a reason it may have the PSP's numbers and links, but nothing that looks like a
    /// secret: a card, telephone or personal number, an e-mail address, a token, or the secret part
    /// of a link.
    public static func isEvidence(_ text: String) -> Bool {
        text.contains { !$0.isWhitespace } && text.utf8.count <= reasonLimit && isLine(text)
            && OutsideTextScreen.isHarmless(own: text)
    }

    /// The text of a note without the white space at its end; `nil` when it is empty or too long.
    public static func note(_ text: String) -> String? {
        var trimmed = text
        while trimmed.last?.isWhitespace == true { trimmed.removeLast() }
        return trimmed.isEmpty || trimmed.utf8.count > noteLimit ? nil : trimmed
    }

    private static func isLine(_ text: String) -> Bool {
        !text.unicodeScalars.contains(where: \.steersScreens)
    }

    /// Whether a text may be logged in the clear: one line without anything that resembles an
    /// address, a person's or card's number, or a token.
    private static func isFit(_ text: String) -> Bool {
        guard !text.utf8.contains("://".utf8), isLine(text) else { return false }
        var (digits, run, hasDigit) = (0, 0, false)
        for character in text.unicodeScalars {
            if character.properties.numericType != nil {
                digits += 1
                if digits >= digitsLimit { return false }
            } else if !" -.()/".unicodeScalars.contains(character) {
                digits = 0
            }
            let isToken =
                character.isASCII
                && (Character(character).isLetter || Character(character).isNumber)
            run = isToken || "_+=".unicodeScalars.contains(character) ? run + 1 : 0
            hasDigit = run > 0 && (hasDigit || Character(character).isNumber)
            if run >= 20, hasDigit { return false }
        }
        return true
    }
}
