internal import EventLog

extension OperatorText {
    /// Whether two names seem to be those of one person: the same letters and digits before an `@`.
    ///
    /// Letter case, blanks, punctuation, accents and marks do not count, and letters that look like
    /// Latin ones, such as full-width, mathematical, Cyrillic and Greek ones, count as these.
    ///
    /// Not covered: digits that look like letters, pairs of letters that look like one (`rn`),
    /// letters of other scripts, and another name of the same person. Nothing here shows that
    /// somebody exists or agreed.
    package static func isSamePerson(_ one: String, _ other: String) -> Bool {
        letters(of: one) == letters(of: other)
    }

    /// The letters and digits by which a person is compared; empty when a text has none.
    static func letters(of name: String) -> String {
        let account = name.unicodeScalars.prefix { !["@", "\u{FF20}", "\u{FE6B}"].contains($0) }
        var letters = ""
        // Folds letter case, including pairs such as ß and SS.
        for scalar in String(account).uppercased().lowercased().unicodeScalars {
            if let latin = lookAlikes[scalar] ?? latin(scalar) {
                letters.unicodeScalars.append(latin)
            } else if let digit = scalar.properties.numericValue {
                letters += "\(digit)"
            } else if scalar.properties.isAlphabetic {
                letters.unicodeScalars.append(scalar)
            }
        }
        return letters
    }

    /// The plain letter of a Latin one, such as `a` for `á`, full-width `ａ` and mathematical `𝐚`.
    ///
    /// - Note: Source: Unicode character names: `LATIN SMALL LETTER A WITH ACUTE`,
    ///   `FULLWIDTH LATIN SMALL LETTER A`, `MATHEMATICAL BOLD SMALL A`.
    private static func latin(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
        if scalar.isASCII { return scalar.properties.isAlphabetic ? scalar : nil }
        let words = (scalar.properties.name ?? "").pieces(between: " ").prefix { $0 != "WITH" }
        guard let last = words.last?.utf8, last.count == 1, let letter = last.first,
            words.contains(where: { $0 == "LATIN" || $0 == "MATHEMATICAL" })
        else { return nil }
        return Unicode.Scalar(letter.lowercasedASCII)
    }

    /// Small letters that look like Latin ones, themselves or as capitals.
    private static let lookAlikes: [Unicode.Scalar: Unicode.Scalar] = {
        let cyrillic = zip(
            "авекмнорстухіјѕһԁԛԝьё".unicodeScalars,
            "abekmhopctyxijshdqwbe".unicodeScalars
        )
        let greek = zip("αβεζηικμνορτυχ".unicodeScalars, "abeznikmvoptyx".unicodeScalars)
        return Dictionary(Array(cyrillic) + Array(greek), uniquingKeysWith: { first, _ in first })
    }()
}
