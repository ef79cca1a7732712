internal import FoundationEssentials

/// Screens the texts of the merchant and of operators.
///
/// They are full of numbers that nobody must hide (orders, dates, amounts), so that numbers are
/// sealed only in the form of a card's or a person's, and addresses only with more than a path.
extension OutsideTextScreen {
    /// The maximum length of text that is searched, in code points; longer text is sealed.
    static let maximumOwnCharacters = 1 << 16

    /// Whether a text of the merchant or an operator contains nothing that looks like a secret: no
    /// number of a card or person, e-mail address, named secret, token, or address with secret
    /// parts.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - isReference: Whether it is a merchant's reference, which has the form of a token, but is
    ///     not one.
    /// - Returns: Whether it may be stored in the clear.
    package static func isHarmless(own text: String, isReference: Bool = false) -> Bool {
        let scalars = withoutSessions(Array(text.unicodeScalars))
        guard scalars.count <= maximumOwnCharacters, !hasControlOrEncoding(text),
            !hasMailAddress(scalars), !TellingNumbers(scalars).isFound
        else { return false }
        let runs = scalars.split { !$0.isBase64 || $0 == "/" }
        guard !runs.contains(where: encodesNumber) else { return false }
        guard !isReference else { return true }
        let shortest =
            text.utf8.contains("://".utf8) ? shortestTokenInAddress : longestHarmlessRun + 1
        return !hasAddressWithValues(scalars) && !hasNamedSecret(scalars)
            && !runs.contains { looksRandom($0, shortest: shortest) }
    }

    /// The length of a session's identifier, in characters.
    private static let lengthOfSession = 36

    /// The text with a letter in place of each session's identifier, which looks random and is not
    /// secret.
    private static func withoutSessions(_ scalars: [Unicode.Scalar]) -> [Unicode.Scalar] {
        var rest: [Unicode.Scalar] = []
        var place = 0
        while place < scalars.count {
            let end = place + lengthOfSession
            if end <= scalars.count, scalars[place + 8] == "-",
                scalars[place..<end].allSatisfy(\.isASCII),
                rest.last?.isLetterOrDigit != true,
                end == scalars.count || !scalars[end].isLetterOrDigit,
                SessionID(utf8: scalars[place..<end].map { UInt8($0.value) }) != nil
            {
                rest.append("x")
                place = end
            } else {
                rest.append(scalars[place])
                place += 1
            }
        }
        return rest
    }

    /// The minimum length at which a random-looking part of an address is a token.
    private static let shortestTokenInAddress = 16

    /// Whether a text contains control or formatting characters, percent encoding or JSON escapes:
    /// what they stand for is not searched.
    private static func hasControlOrEncoding(_ text: String) -> Bool {
        hasControlOrEncoding(text, orSign: false) || occurs("\\u", in: text)
    }

    // MARK: Addresses

    private static func hasMailAddress(_ scalars: [Unicode.Scalar]) -> Bool {
        scalars.indices.dropFirst().dropLast().contains { place in
            // Also the full-width form written by East Asian keyboards, and the small form.
            ["@", "\u{FF20}", "\u{FE6B}"].contains(scalars[place])
                && !scalars[place - 1].properties.isWhitespace
                && !scalars[place + 1].properties.isWhitespace
        }
    }

    /// Whether an address has credentials, or values in a path, query or fragment.
    private static func hasAddressWithValues(_ scalars: [Unicode.Scalar]) -> Bool {
        scalars.split(whereSeparator: \.properties.isWhitespace).contains { word in
            guard let start = word.indices.first(where: { word[$0...].starts(with: scheme) }) else {
                return false
            }
            return word[start...].contains { "?#@=;&".unicodeScalars.contains($0) }
        }
    }

    private static let scheme = Array("://".unicodeScalars)

    // MARK: Tokens

    /// Whether a run of letters, digits and the marks of base64 looks random.
    ///
    /// Names chosen by people and programs contain words and numbers: pieces of several letters or
    /// digits. Random text changes constantly between lower case, upper case and digits.
    private static func looksRandom(_ run: ArraySlice<Unicode.Scalar>, shortest: Int) -> Bool {
        guard run.count >= shortest else { return false }
        var (length, pieces, digits) = (0, 0, 0)
        var last: UInt8 = 0
        for byte in run.lazy.map({ UInt8($0.value) }) where byte.isASCIILetter || byte.isASCIIDigit
        {
            let kind: UInt8 = byte.isASCIIDigit ? 0x30 : byte & 0x60
            length += 1
            if byte.isASCIIDigit { digits += 1 }
            // A word may begin with a capital letter.
            if kind != last, !(last == 0x40 && kind == 0x60) { pieces += 1 }
            last = kind
        }
        return pieces > 1 && length < pieces * (digits > 0 ? averagePiece : averagePiece - 1)
    }

    /// The minimum average length of a piece of same-case letters or digits in text that is not a
    /// token.
    private static let averagePiece = 4

    /// Whether a part of a run is base64 of a text with the number of a card or person, which need
    /// not look random: encoded digits consist of only a few different letters.
    private static func encodesNumber(_ run: ArraySlice<Unicode.Scalar>) -> Bool {
        run.split { !$0.isLetterOrDigit }.contains { part in
            guard lengthsOfBase64.contains(part.count) else { return false }
            var text = String(String.UnicodeScalarView(part))
            text += String(repeating: "=", count: (4 - part.count % 4) % 4)
            guard let data = Data(base64Encoded: text),
                let decoded = String(validating: data, as: UTF8.self)
            else { return false }
            let scalars = Array(decoded.unicodeScalars)
            return TellingNumbers(scalars).isFound || hasMailAddress(scalars)
        }
    }

    /// The lengths of base64 that is examined; the shortest encodes a number of twelve digits.
    private static let lengthsOfBase64 = 16...4096

    // MARK: Named secrets

    /// Whether a value follows a name that says that it is secret: `password=…`, `Bearer …`,
    /// `CVC 123`.
    private static func hasNamedSecret(_ scalars: [Unicode.Scalar]) -> Bool {
        var place = 0
        while place < scalars.count {
            guard scalars[place].isInName else {
                place += 1
                continue
            }
            let name = scalars[place...].prefix { $0.isInName }
            place = name.endIndex
            let marks = scalars[place...].prefix { !$0.isInName && $0.isMarkBeforeValue }
            guard (1...4).contains(marks.count) else { continue }
            let value = scalars[marks.endIndex...].prefix {
                !$0.isMarkBeforeValue && !",;&)]}".unicodeScalars.contains($0)
            }
            if isSecret(value, after: marks, named: name) { return true }
        }
        return false
    }

    private static func isSecret(
        _ value: ArraySlice<Unicode.Scalar>,
        after marks: ArraySlice<Unicode.Scalar>,
        named name: ArraySlice<Unicode.Scalar>
    ) -> Bool {
        let letters = name.filter { $0.isLetterOrDigit }.map { UInt8($0.value).lowercasedASCII }
        let name = String(decoding: letters, as: UTF8.self)
        let digits = value.prefix(5).prefix { ("0"..."9").contains($0) }.count
        if namesOfCodes.contains(name) { return (3...4).contains(digits) }
        let isWord = value.allSatisfy {
            ("a"..."z").contains($0) || ".!?".unicodeScalars.contains($0)
        }
        if ["bearer", "basic"].contains(name) {
            return value.count >= (isWord ? shortestTokenInAddress : 6)
        }
        guard
            namesOfSecrets.contains(where: { name.hasSuffix($0) && ($0.count > 3 || name == $0) }),
            marks.contains(where: { "=:".unicodeScalars.contains($0) }), value.count >= 3
        else { return false }
        return Array(marks) == ["="] || !isWord || value.count >= shortestTokenInAddress
    }

    private static let namesOfCodes: Set<String> = ["cvc", "cvv", "cvc2", "cvv2", "csc", "cid"]

    private static let namesOfSecrets = [
        "token", "secret", "password", "passwd", "pwd", "passphrase", "apikey", "accesskey",
        "authorization", "credential", "credentials", "cres", "creq", "threedsmethoddata",
        "signature", "pin", "otp",
    ]
}

extension Unicode.Scalar {
    fileprivate var isLetterOrDigit: Bool {
        isASCII && (UInt8(value).isASCIILetter || UInt8(value).isASCIIDigit)
    }

    /// Whether the scalar belongs to base64 or its URL-safe form.
    fileprivate var isBase64: Bool { isLetterOrDigit || "_-+/=".unicodeScalars.contains(self) }

    fileprivate var isInName: Bool { isLetterOrDigit || self == "_" || self == "-" }

    /// Whether the scalar stands between a name and its value, or encloses one of them.
    fileprivate var isMarkBeforeValue: Bool {
        properties.isWhitespace || ":=\"'`\\".unicodeScalars.contains(self)
    }
}
