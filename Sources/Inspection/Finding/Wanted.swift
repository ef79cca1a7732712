package import EventLog
internal import SwedbankPay

/// A text to search for, in the forms in which logs may hold it.
package struct Wanted: Sendable {
    /// The text, without surrounding whitespace.
    package let text: String
    /// The text in lower case.
    private let folded: String
    /// The digits at the beginning and at the end of a masked card number.
    private let card: (first: String, last: String)?
    /// Whether it can be found only with keys, since logs hold it sealed.
    package let isSealed: Bool
    /// Whether it has the form of a telephone number without a country code.
    package let isNationalNumber: Bool
    /// The forms in which logs may hold it sealed.
    let sealedForms: [String]

    /// The minimum length in characters; half as many in a script in which a character is a word.
    package static let shortest = 3
    /// The maximum length in characters.
    package static let longest = 2_000

    /// Parses a text to search for.
    ///
    /// - Throws: ``WantedError`` for a text that is too short or too long, and for a full card
    ///   number.
    package init(_ text: String) throws(WantedError) {
        let trimmed = String(
            text.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed()
        )
        let weight = trimmed.unicodeScalars.contains { $0.properties.isIdeographic } ? 2 : 1
        guard (Self.shortest...Self.longest).contains(trimmed.count * weight) else {
            throw .length
        }
        let digits = trimmed.filter(\.isNumber).count
        let isNumber = trimmed.allSatisfy { $0.isNumber || $0 == " " || $0 == "-" }
        let telephone = Self.telephone(trimmed)
        guard telephone != nil || !isNumber || digits < 13 || digits > 19 else {
            throw .cardNumber
        }
        self.text = trimmed
        folded = trimmed.lowercased()
        card = Self.card(trimmed)
        // A text that begins with 00 may also be one of the merchant's numbers, which are in the
        // clear.
        isSealed = telephone != nil && trimmed.hasPrefix("+") || trimmed.utf8.contains("://".utf8)
        isNationalNumber = telephone == nil && isNumber && digits >= 7
        let order = Self.isUUID(trimmed) ? ["/psp/paymentorders/" + folded] : []
        sealedForms =
            (telephone.map { [$0.number] } ?? [trimmed])
            + (isNationalNumber ? Self.international(trimmed) : []) + order
    }

    /// The international forms of a number without a country code, for the countries in which
    /// payments are made.
    ///
    /// - Note: Source: ITU-T E.164; Sweden and Finland write a 0 before national numbers, Denmark
    ///   and Norway have eight digits.
    private static func international(_ text: String) -> [String] {
        let digits = text.filter { $0.isASCII && $0.isNumber }
        if digits.hasPrefix("0") { return ["+46", "+358"].map { $0 + digits.dropFirst() } }
        // With the country code, but without a plus.
        if digits.count > 8, ["45", "46", "47", "358"].contains(where: digits.hasPrefix) {
            return ["+" + digits]
        }
        return digits.count == 8 ? ["+47", "+45"].map { $0 + digits } : []
    }

    /// Parses a telephone number in a common notation: with blanks, dashes and brackets, or with 00
    /// for the plus.
    private static func telephone(_ text: String) -> MSISDN? {
        let bare = text.rewriting("(0)", as: "").filter {
            !$0.isWhitespace && !"-./()".contains($0)
        }
        return MSISDN(bare.hasPrefix("00") ? "+\(bare.dropFirst(2))" : bare)
    }

    /// Whether the text is a UUID, as the PSP uses for its orders.
    private static func isUUID(_ text: String) -> Bool {
        let parts = text.pieces(between: "-", omittingEmptySubsequences: false)
        return parts.map(\.count) == [8, 4, 4, 4, 12]
            && parts.allSatisfy { $0.allSatisfy { $0.isASCII && $0.isHexDigit } }
    }

    /// Whether another text contains it; case-insensitive.
    package func isIn(_ other: String?) -> Bool { other?.lowercased().contains(folded) ?? false }

    /// Whether it may be a masked card number.
    var isCardNumber: Bool { card != nil }

    /// Whether a masked card number may be the wanted one: the digits visible in both are equal.
    package func isCard(_ masked: String?) -> Bool {
        guard let card, let masked else { return false }
        let shown = masked.filter { !$0.isWhitespace }
        return shown.hasPrefix(card.first) && shown.hasSuffix(card.last)
    }

    /// Parses `476173******1416`, `4761 73** **** 1416`, `****1416` or `1416` into the digits
    /// before and after the hidden ones.
    private static func card(_ text: String) -> (first: String, last: String)? {
        let signs: Set<Character> = ["*", "x", "X", "\u{2022}", "."]
        let bare = text.filter { !$0.isWhitespace && $0 != "-" }
        guard bare.allSatisfy({ $0.isASCII && $0.isNumber || signs.contains($0) }) else {
            return nil
        }
        let last = String(bare.reversed().prefix { $0.isNumber }.reversed())
        guard last.count < bare.count else { return last.count == 4 ? ("", last) : nil }
        let first = String(bare.prefix { $0.isNumber })
        guard last.count >= 2 || first.count >= 4 else { return nil }
        return (first, last)
    }
}

extension Wanted {
    /// Returns the matches of a log in the clear.
    package func matches(in log: SessionLog) -> [Match] {
        var found: [Match] = []
        func note(_ field: String, _ value: String?, _ isFound: Bool? = nil) {
            guard let value, isFound ?? isIn(value), !found.contains(where: { $0.field == field })
            else { return }
            found.append(Match(field: field, value: value))
        }
        note("session", "\(log.session)")
        var (shown, attempts): ([Sealed: String], [Int: String]) = ([:], [:])
        for recorded in log.events {
            for text in SearchTexts.texts(of: recorded.event) { note(text.field, text.value) }
            switch recorded.event {
            case .methodsOffered(let offered):
                for case .card(let card) in offered.methods.flatMap(\.prefills) {
                    note(Match.offeredCard, card.maskedPan, isCard(card.maskedPan))
                    shown[card.token] = card.maskedPan
                }
            case .attemptStarted(let attempt):
                guard case .card(let card) = attempt.choice else { continue }
                if let used = shown[card.token], isCard(used) { attempts[attempt.number] = used }
            default: break
            }
        }
        // A card that was used had been offered before, and its best result counts.
        guard !attempts.isEmpty else { return found }
        let used = AttemptHistory(log).entries.compactMap { entry in
            attempts[entry.number].map { Match(field: Match.card(entry.result), value: $0) }
        }
        guard let best = used.min(by: { $0.rank < $1.rank }) else { return found }
        return found.filter { $0.field != Match.offeredCard } + [best]
    }

    /// Returns the notes that contain it, with their authors; `log --reveal` shows their text.
    package func noteMatches(in log: SessionLog, _ keys: SessionKeys) -> [Match] {
        let secrets = log.secrets(with: keys)
        return log.events.compactMap { (recorded: RecordedEvent) -> Match? in
            guard case .noteAdded(let note) = recorded.event, isIn(secrets[note.text]) else {
                return nil
            }
            return Match(field: "note, seq \(recorded.sequence)", value: "by \(note.by)")
        }
    }

    /// Returns the sealed matches of a log, by their fingerprint under the session's key; other
    /// sealed values are not revealed.
    package func sealedMatches(in log: SessionLog, _ keys: SessionKeys) -> [Match] {
        for form in sealedForms {
            let mark = keys.fingerprint(of: form).hexadecimal
            guard
                let record = log.records.first(where: {
                    String(decoding: $0.canonical, as: UTF8.self).contains(mark)
                })
            else { continue }
            let shown = MSISDN(form)?.masked ?? "\u{2022}\u{2022}\u{2022}"
            return [Match(field: "sealed, seq \(record.sequence)", value: shown)]
        }
        return []
    }
}
