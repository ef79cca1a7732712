/// Tokens, credentials, security codes and e-mail addresses.
extension SecretFinder {
    /// The minimum length of a token outside addresses.
    ///
    /// A run of this length that does not look random is not a token, and a shorter random one
    /// can't be distinguished from a word.
    private static let shortestToken = OutsideTextScreen.longestHarmlessRun + 1
    /// The minimum length at which a random-looking part of an address is a token.
    static let shortestTokenInAddress = 16
    /// The minimum average length of a piece of same-case letters or digits in text that is not a
    /// token.
    private static let averagePiece = 4

    /// Tokens: signed ones, UUIDs other than session identifiers, and long runs that look random.
    func tokens() -> [Finding] {
        signedTokens() + universalIdentities() + randomRuns()
    }

    /// JSON Web Tokens and 3-D Secure messages: the base64 form of an object.
    private func signedTokens() -> [Finding] {
        var found: [Finding] = []
        var place = 0
        while place + 3 <= scalars.count {
            guard scalars[place] == "e", scalars[place + 1] == "y", scalars[place + 2] == "J" else {
                place += 1
                continue
            }
            let range = run(from: place) { $0.isBase64 || $0 == "." || $0 == "%" }
            if range.count >= Self.shortestTokenInAddress {
                found.append(Finding(range: range, kind: .token))
            }
            place = max(range.upperBound, place + 3)
        }
        return found
    }

    private func randomRuns() -> [Finding] {
        var found: [Finding] = []
        var start = 0
        for place in 0...scalars.count {
            if place < scalars.count, scalars[place].isBase64, !isSpared[place],
                scalars[place] != "/" || !isInAddress(place)
            {
                continue
            }
            if isToken(start..<place, shortest: Self.shortestToken) {
                found.append(Finding(range: start..<place, kind: .token))
            }
            start = place + 1
        }
        return found
    }

    /// UUIDs, which stored cards use as tokens; session identifiers are already exempt.
    private func universalIdentities() -> [Finding] {
        var found: [Finding] = []
        var start = 0
        while start + Self.universalIdentity <= scalars.count {
            let end = start + Self.universalIdentity
            if isUniversalIdentity(start..<end) {
                found.append(Finding(range: start..<end, kind: .token))
                start = end
            } else {
                start += 1
            }
        }
        return found
    }

    /// Whether a run of letters, digits and the marks of base64 looks random.
    ///
    /// Names chosen by people and programs contain words and numbers: pieces of several letters or
    /// digits. Random text changes constantly between lower case, upper case and digits.
    func isToken(_ range: Range<Int>, shortest: Int) -> Bool {
        guard range.count >= shortest else { return false }
        var (length, pieces, digits) = (0, 0, 0)
        var last = Piece.none
        for scalar in scalars[range] {
            let piece = Piece(scalar)
            guard piece != .none else { continue }
            length += 1
            if piece == .digit { digits += 1 }
            // A word may begin with a capital letter.
            let isWord = last == .capital && piece == .small
            if piece != last, !isWord { pieces += 1 }
            last = piece
        }
        guard pieces > 1 else { return false }
        return length < pieces * (digits > 0 ? Self.averagePiece : Self.averagePiece - 1)
    }

    private enum Piece {
        case none, small, capital, digit

        init(_ scalar: Unicode.Scalar) {
            switch scalar {
            case "a"..."z": self = .small
            case "A"..."Z": self = .capital
            case "0"..."9": self = .digit
            default: self = .none
            }
        }
    }

    /// The length of a UUID in characters.
    private static let universalIdentity = 36

    private func isUniversalIdentity(_ range: Range<Int>) -> Bool {
        guard scalars[range.lowerBound + 8] == "-", !isSpared[range.lowerBound],
            range.lowerBound == 0 || !scalars[range.lowerBound - 1].isASCIIAlphanumeric,
            range.upperBound == scalars.count || !scalars[range.upperBound].isASCIIAlphanumeric
        else { return false }
        return scalars[range].enumerated().allSatisfy { offset, scalar in
            offset == 8 || offset == 13 || offset == 18 || offset == 23
                ? scalar == "-" : scalar.isASCII && UInt8(scalar.value).hexadecimalValue != nil
        }
    }

    // MARK: Labelled values

    /// The value after `Bearer` or `Basic`, as in an `Authorization` header.
    func credentials() -> [Finding] {
        words(["bearer", "basic"]).compactMap { word in
            let blanks = run(from: word.upperBound) { $0.isBlankOrControl || $0 == ":" }
            guard !blanks.isEmpty else { return nil }
            let value = run(from: blanks.upperBound) { !$0.isBlankOrControl && !$0.isQuote }
            let isWord = scalars[value].allSatisfy {
                ("a"..."z").contains($0) || ".,!?".unicodeScalars.contains($0)
            }
            guard value.count >= (isWord ? Self.shortestTokenInAddress : 6) else { return nil }
            return Finding(range: value, kind: .token)
        }
    }

    /// The three or four digits of a card's security code after its name.
    func securityCodes() -> [Finding] {
        words(["cvc", "cvv", "cvc2", "cvv2", "csc", "cid"]).compactMap { word in
            let marks = run(from: word.upperBound) {
                OutsideTextScreen.isMarkWithinNumber($0) || $0 == ":" || $0 == "=" || $0.isQuote
            }
            let digits = run(from: marks.upperBound) { $0.decimalDigit != nil }
            guard marks.count <= 4, (3...4).contains(digits.count) else { return nil }
            return Finding(range: digits, kind: .securityCode)
        }
    }

    /// Values whose name says that they are secret: `password=…`, `"accessToken": "…"`.
    func namedSecrets() -> [Finding] {
        var found: [Finding] = []
        var place = 0
        while place < scalars.count {
            let value = namedSecret(at: place)
            if let value { found.append(Finding(range: value, kind: .token)) }
            place = value?.upperBound ?? place + 1
        }
        return found
    }

    /// The value after a `=` or `:` whose name says that it is secret and which could be one.
    private func namedSecret(at place: Int) -> Range<Int>? {
        let mark = scalars[place]
        guard mark == "=" || mark == ":", !isSpared[place] else { return nil }
        let gap = run(before: place) { $0.isBlankOrControl || $0.isQuote }
        guard gap.count <= 2 else { return nil }
        let name = run(before: gap.lowerBound) { $0.isASCIIAlphanumeric || $0 == "_" || $0 == "-" }
        guard Self.isNameOfSecret(scalars[name]) else { return nil }
        let blanks = run(from: place + 1) { $0.isBlankOrControl || $0.isQuote }
        guard blanks.count <= 3 else { return nil }
        let value = run(from: blanks.upperBound) {
            !$0.isBlankOrControl && !$0.isQuote && !",;&)]}".unicodeScalars.contains($0)
        }
        let hasDigit = scalars[value].contains { $0.decimalDigit != nil }
        let isSaid = mark == "=" && blanks.isEmpty
        guard value.count >= 3, isSaid || hasDigit || value.count >= Self.shortestTokenInAddress
        else { return nil }
        return value
    }

    private static let namesOfSecrets = [
        "token", "secret", "password", "passwd", "pwd", "passphrase", "apikey", "accesskey",
        "authorization", "credential", "credentials", "cres", "creq", "threedsmethoddata",
        "signature", "pin", "otp",
    ]

    private static func isNameOfSecret(_ name: ArraySlice<Unicode.Scalar>) -> Bool {
        guard (3...64).contains(name.count) else { return false }
        let letters = name.filter { !["_", "-"].contains($0) }.map(\.lowercasedASCII)
        let text = String(String.UnicodeScalarView(letters))
        return namesOfSecrets.contains { text.hasSuffix($0) && ($0.count > 3 || text == $0) }
    }

    /// The ranges of these words, in any letter case and with no letter or digit beside them.
    private func words(_ words: [String]) -> [Range<Int>] {
        var found: [Range<Int>] = []
        var place = 0
        while place < scalars.count {
            let word = run(from: place) { $0.isASCIIAlphanumeric }
            if (3...6).contains(word.count) {
                let letters = scalars[word].map(\.lowercasedASCII)
                let text = String(String.UnicodeScalarView(letters))
                if words.contains(text) { found.append(word) }
            }
            place = word.upperBound + 1
        }
        return found
    }

    // MARK: E-mail addresses

    /// E-mail addresses, also with a percent-encoded sign; the part before a host in an address is
    /// not one.
    func emailAddresses() -> [Finding] {
        scalars.indices.compactMap { place in
            let length: Int
            // Also the full-width form written by East Asian keyboards, and the small form.
            if ["@", "\u{FF20}", "\u{FE6B}"].contains(scalars[place]) {
                length = 1
            } else if scalars[place] == "%", place + 2 < scalars.count, scalars[place + 1] == "4",
                scalars[place + 2] == "0"
            {
                length = 3
            } else {
                return nil
            }
            guard !isInAuthority(place) else { return nil }
            let local = run(before: place) { $0.isInWord || "._%+-'".unicodeScalars.contains($0) }
            let domain = run(from: place + length) {
                $0.isInWord || $0 == "." || $0 == "-" || $0 == "\u{FF0E}"
            }
            guard scalars[local].contains(where: \.isInWord),
                scalars[domain].contains(where: \.isInWord)
            else { return nil }
            return Finding(
                range: local.lowerBound..<domain.upperBound,
                kind: .emailAddress
            )
        }
    }
}

extension Unicode.Scalar {
    /// Whether the scalar is a letter or digit of any script.
    fileprivate var isInWord: Bool {
        isASCII ? isASCIIAlphanumeric : properties.isAlphabetic || decimalDigit != nil
    }

    /// Whether the scalar belongs to base64 or its URL-safe form.
    var isBase64: Bool {
        isASCIIAlphanumeric || self == "_" || self == "-" || self == "+" || self == "/"
            || self == "="
    }

    /// Whether the scalar encloses a name or value.
    fileprivate var isQuote: Bool { self == "\"" || self == "'" || self == "\\" || self == "`" }
}

extension String.UnicodeScalarView {
    /// Creates the text of scalars.
    init(_ scalars: some Sequence<Unicode.Scalar>) {
        self.init()
        append(contentsOf: scalars)
    }
}
