internal import SwedbankPay

/// A time, duration, period or amount that was refused: what to say about it.
///
/// They are no secrets, and whoever mistyped one has to see what was read. A text that resembles
/// something else stays masked, because it may have been meant for another option.
struct InvalidValue: Hashable, Sendable {
    /// The text that was given; `nil` when it may be a secret.
    let shown: String?
    /// The accepted forms.
    let hint: String

    /// The number of digits from which on a text without a colon may be a card's number.
    private static let digitsLimit = 13
    /// The maximum length of a text that is shown, in bytes.
    private static let lengthLimit = 40
    /// The maximum length of a word in it: a longer one may be a token.
    private static let wordLimit = 12

    /// Creates what to say about a time.
    init(time text: String) {
        self.init(text, forms: TimeArgument.forms)
    }

    private init(_ text: String, forms: String) {
        shown = Self.isHarmless(text) ? text : nil
        hint = forms
    }

    /// Reads the message of the argument parser; `nil` when it is about anything else.
    init?(message: String) {
        let beginning = "The value '"
        let end = /' is invalid for '--[a-z-]+ <(time|duration|period|amount)>'$/
        guard message.hasPrefix(beginning), let match = message.firstMatch(of: end) else {
            return nil
        }
        let text = message[..<match.range.lowerBound].dropFirst(beginning.count)
        let forms =
            switch match.1 {
            case "time": TimeArgument.forms
            case "duration": DurationArgument.forms
            case "amount": AmountArgument.forms
            default: PeriodArgument.forms
            }
        self.init(String(text), forms: forms)
    }

    /// Returns whether a text has only the characters of such values, and is no long number.
    private static func isHarmless(_ text: String) -> Bool {
        guard text.utf8.count <= lengthLimit, !text.utf8.contains("://".utf8) else { return false }
        let isPlain = text.utf8.allSatisfy {
            switch $0 {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
            default: " :.,+-/_".utf8.contains($0)
            }
        }
        let words = text.split { !$0.isLetter && !$0.isNumber }
        guard words.allSatisfy({ $0.count <= wordLimit }) else { return false }
        let runs = text.split { !$0.isNumber }.map(\.count)
        guard isPlain, runs.allSatisfy({ $0 < OperatorText.digitsLimit }) else { return false }
        return text.unicodeScalars.contains(":") || runs.reduce(0, +) < digitsLimit
    }
}
