/// Screens text before it enters a log: only text without anything that looks like a secret is
/// stored in the clear.
///
/// There are two thresholds: text of the other side and of clients is sealed for any longer number
/// or address, that of the host and of operators only for what looks like a secret.
///
/// It errs towards sealing: a sealed text can still be revealed to those who may read it, a leaked
/// one can't be recalled.
public enum OutsideTextScreen {
    /// The maximum length of text kept in the clear, in code points; the rest is cut off.
    public static let maximumPlainCharacters = 500
    /// The maximum length of text kept sealed, in code points; the rest is cut off.
    public static let maximumSealedCharacters = 4000
    /// The longest run of digits that is not treated as the number of a person or card.
    static let longestHarmlessDigits = 6
    /// The longest run of characters with a digit in it that is not treated as a token.
    static let longestHarmlessRun = 19
    /// The shortest known secret whose occurrence in a text is treated as a quotation.
    static let shortestTellingSecret = 4

    /// Screens a text, and seals it unless it is harmless.
    ///
    /// - Parameters:
    ///   - raw: The text.
    ///   - keys: The session's keys, used to seal it.
    ///   - secrets: The table that receives the plaintext when it is sealed.
    ///   - known: Secrets that the text must not quote, for example those of the request that it
    ///     responds to.
    /// - Returns: The text, in the clear or sealed.
    public static func text(
        _ raw: String,
        keys: SessionKeys,
        secrets: inout SecretTable,
        known: [String] = []
    ) -> OutsideText {
        guard isHarmless(raw, known: known) else {
            return .sealed(secrets.seal(cut(raw, to: maximumSealedCharacters), with: keys))
        }
        return .plain(cut(raw, to: maximumPlainCharacters))
    }

    /// Whether a text contains nothing that looks like a secret: no URL with secret parts, number
    /// of a person or card, token, control character or known secret.
    package static func isHarmless(_ text: String, known: [String] = []) -> Bool {
        guard !occurs("://", in: text), !hasControlOrEncoding(text, orSign: true),
            !hasLongNumber(text),
            !hasToken(text, longestHarmlessRun: longestHarmlessRun, digits: 1)
        else { return false }
        return !known.contains { $0.utf8.count >= shortestTellingSecret && occurs($0, in: text) }
    }

    /// Whether a text may be stored in the clear as a name used by the other side: short, visible
    /// ASCII without blanks, and not like a token.
    package static func isName(_ text: String, maximumLength: Int = 64) -> Bool {
        !text.isEmpty && text.utf8.count <= maximumLength
            && text.utf8.allSatisfy {
                $0.isASCIILetter || $0.isASCIIDigit || "-_.+/;=".utf8.contains($0)
            }
            && !hasLongNumber(text) && !hasToken(text, longestHarmlessRun: 19, digits: 3)
    }

    /// Whether a text may be stored in the clear as the type of a problem.
    ///
    /// Types are addresses by nature; one that could carry more than a name is rejected.
    package static func isProblemType(_ text: String, known: [String] = []) -> Bool {
        guard !text.isEmpty, text.utf8.count <= 256,
            text.utf8.allSatisfy({ $0.isUnreserved || ":/#".utf8.contains($0) }),
            !hasLongNumber(text)
        else { return false }
        let parts = text.utf8.split(whereSeparator: { ":/#".utf8.contains($0) })
        guard
            !parts.contains(where: {
                hasToken(String(Substring($0)), longestHarmlessRun: longestHarmlessRun, digits: 3)
            })
        else { return false }
        return !known.contains { $0.utf8.count >= shortestTellingSecret && occurs($0, in: text) }
    }

    /// Whether a part occurs in a text, compared byte by byte and, beyond ASCII, also by
    /// characters.
    ///
    /// Comparing only characters would miss a part followed by a combining mark, which belongs to
    /// its last character; comparing only bytes would miss another encoding of the same characters.
    static func occurs(_ part: String, in text: String) -> Bool {
        var (text, part) = (text, part)
        let (found, isPlain) = text.withUTF8 { text in
            part.withUTF8 { part in (occurs(part, in: text), isASCII(part) && isASCII(text)) }
        }
        return found || !isPlain && text.contains(part)
    }

    private static func occurs(
        _ part: UnsafeBufferPointer<UInt8>,
        in text: UnsafeBufferPointer<UInt8>
    ) -> Bool {
        guard let first = part.first, part.count <= text.count else { return part.isEmpty }
        return (0...text.count - part.count).contains { start in
            text[start] == first && part.indices.allSatisfy { text[start + $0] == part[$0] }
        }
    }

    private static func isASCII(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        text.allSatisfy { $0 < 0x80 }
    }

    /// Counts code points, not characters: one character may consist of any number of them.
    private static func cut(_ text: String, to length: Int) -> String {
        String(text.unicodeScalars.prefix(length))
    }

    /// Whether a text contains control or formatting characters, percent encoding, or, if wanted,
    /// the `@` of an e-mail address.
    static func hasControlOrEncoding(_ text: String, orSign findsSign: Bool) -> Bool {
        var sincePercent = 3
        for scalar in text.unicodeScalars {
            switch scalar.category {
            case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate,
                .unassigned:
                return true
            default: break
            }
            if findsSign, scalar == "@" { return true }
            if scalar == "%" {
                sincePercent = 0
            } else if sincePercent < 2, scalar.isASCII, scalar.properties.isASCIIHexDigit {
                sincePercent += 1
                if sincePercent == 2 { return true }
            } else {
                sincePercent = 3
            }
        }
        return false
    }

    /// Whether a text has more consecutive digits than are harmless, ignoring blanks and the marks
    /// used in written numbers.
    private static func hasLongNumber(_ text: String) -> Bool {
        var digits = 0
        for scalar in text.unicodeScalars {
            if scalar.isNumeric {
                digits += 1
                if digits > longestHarmlessDigits { return true }
            } else if !isMarkWithinNumber(scalar) {
                digits = 0
            }
        }
        return false
    }

    /// Whether a scalar may occur between the digits of a written number: a blank, dash, dot or
    /// bracket.
    static func isMarkWithinNumber(_ scalar: Unicode.Scalar) -> Bool {
        guard !scalar.isASCII else {
            return scalar == " " || scalar == "-" || scalar == "." || scalar == "("
                || scalar == ")"
        }
        switch scalar.category {
        case .spaceSeparator, .dashPunctuation: return true
        default: return false
        }
    }

    private static func hasToken(
        _ text: String,
        longestHarmlessRun: Int,
        digits wanted: Int
    ) -> Bool {
        var length = 0
        var digits = 0
        for byte in text.utf8 {
            guard byte.isASCIILetter || byte.isASCIIDigit || "_-+/=".utf8.contains(byte) else {
                length = 0
                digits = 0
                continue
            }
            length += 1
            if byte.isASCIIDigit { digits += 1 }
            if length > longestHarmlessRun, digits >= wanted { return true }
        }
        return false
    }
}

extension Unicode.Scalar {
    /// The general category, without a table look-up for the most common characters.
    fileprivate var category: Unicode.GeneralCategory {
        switch value {
        case 0x30...0x39: .decimalNumber
        case 0x41...0x5A: .uppercaseLetter
        case 0x61...0x7A: .lowercaseLetter
        default: properties.generalCategory
        }
    }

    /// Whether the scalar represents a number, in any script.
    fileprivate var isNumeric: Bool {
        isASCII ? (0x30...0x39).contains(value) : properties.numericType != nil
    }
}
