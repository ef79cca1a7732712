/// The gate through which text from outside gets into a log: in the clear only when nothing in it
/// looks like a secret.
///
/// It errs towards sealing: a sealed text can be revealed by who may, a leaked one can't be taken back.
public enum OutsideTextScreen {
    /// The longest text that is kept in the clear, in code points; the rest is cut off.
    public static let maximumPlainCharacters = 500
    /// The longest text that is kept sealed, in code points; the rest is cut off.
    public static let maximumSealedCharacters = 4000
    /// From how many digits on a number may be that of a person or card.
    static let longestHarmlessDigits = 6
    /// From how many characters on a run with a digit in it may be a token.
    static let longestHarmlessRun = 19
    /// Known secrets that are shorter prove nothing by occurring in a text.
    static let shortestTellingSecret = 4

    /// Takes in a text.
    ///
    /// - Parameters:
    ///   - raw: The text.
    ///   - keys: The session's keys, for sealing it.
    ///   - secrets: The table that takes the plaintext of a sealed one.
    ///   - known: Secrets that it must not quote, for example those of the request that it answers.
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

    /// Whether nothing in a text looks like a secret: no address, no number of a person or card, no
    /// token, no control character and none of the known secrets.
    package static func isHarmless(_ text: String, known: [String] = []) -> Bool {
        guard !occurs("://", in: text), !hasControlOrSign(text), !hasLongNumber(text),
            !hasToken(text, longestHarmlessRun: longestHarmlessRun, digits: 1)
        else { return false }
        return !known.contains { $0.utf8.count >= shortestTellingSecret && occurs($0, in: text) }
    }

    /// Whether a text is fit to stand in the clear as a name that the other side uses: short, visible ASCII without
    /// blanks, and nothing like a token.
    package static func isName(_ text: String, maximumLength: Int = 64) -> Bool {
        !text.isEmpty && text.utf8.count <= maximumLength
            && text.utf8.allSatisfy {
                $0.isASCIILetter || $0.isASCIIDigit || "-_.+/;=".utf8.contains($0)
            }
            && !hasLongNumber(text) && !hasToken(text, longestHarmlessRun: 19, digits: 3)
    }

    /// Whether a text is fit to stand in the clear as the type of a problem.
    ///
    /// Types are addresses by nature; one that could carry more than a name is not taken.
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

    /// Whether a part occurs in a text, byte by byte or, beyond ASCII, as characters.
    ///
    /// Characters alone would miss a part with a combining mark behind it, which belongs to its last character; bytes
    /// alone would miss another spelling of the same characters.
    private static func occurs(_ part: String, in text: String) -> Bool {
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

    /// Code points are counted, not characters: one character may have any number of them.
    private static func cut(_ text: String, to length: Int) -> String {
        String(text.unicodeScalars.prefix(length))
    }

    /// Control and formatting characters, `@` of an e-mail address, percent encoding.
    private static func hasControlOrSign(_ text: String) -> Bool {
        var sincePercent = 3
        for scalar in text.unicodeScalars {
            switch scalar.category {
            case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate,
                .unassigned:
                return true
            default: break
            }
            if scalar == "@" { return true }
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

    /// Whether there are more digits in a row than harmless, blanks and the marks of written numbers not
    /// counted.
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

    /// Whether it stands between the digits of a number as people write it: a blank, a dash, a dot, a bracket.
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
    /// The general category, without a look into the tables for what most texts are made of.
    fileprivate var category: Unicode.GeneralCategory {
        switch value {
        case 0x30...0x39: .decimalNumber
        case 0x41...0x5A: .uppercaseLetter
        case 0x61...0x7A: .lowercaseLetter
        default: properties.generalCategory
        }
    }

    /// Whether it stands for a number, in any script.
    fileprivate var isNumeric: Bool {
        isASCII ? (0x30...0x39).contains(value) : properties.numericType != nil
    }
}
