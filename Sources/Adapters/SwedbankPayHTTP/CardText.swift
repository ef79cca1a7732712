internal import EventLog
internal import SwedbankPay

/// Parses the texts with which the PSP describes a saved card.
enum CardText {
    /// The number of digits from which a card number counts as unmasked.
    static let digitsOfUnmaskedNumber = 12
    /// The maximum length of a card number's text.
    static let longestNumber = 32

    /// Returns a card number with its middle masked.
    ///
    /// A number received with twelve or more digits is masked here: the first six and the last four
    /// digits stay.
    ///
    /// - Returns: `nil` when the text is not a card number, masked or not.
    static func maskedNumber(_ text: String) -> String? {
        guard !text.isEmpty, text.count <= longestNumber,
            text.unicodeScalars.allSatisfy({
                ("0"..."9").contains($0) || "*xX•·. -".unicodeScalars.contains($0)
            })
        else { return nil }
        let digits = text.utf8.count(where: \.isASCIIDigit)
        guard digits >= digitsOfUnmaskedNumber else { return text }
        var seen = 0
        return String(
            text.map { character in
                guard character.isASCII, character.isNumber else { return character }
                seen += 1
                return seen <= 6 || seen > digits - 4 ? character : "*"
            }
        )
    }

    /// The month in UTC that a date lies in: `2030-12-31T00:00:00Z`, with fractions, another zone,
    /// without a time, or as `12/2030`.
    ///
    /// - Returns: `nil` when the text is not a date, which never means that the card has expired.
    /// - Note: Source: payment session API, payment methods; flaw F-29.
    static func expiry(_ text: String) -> CardExpiry? {
        var rest = Array(text.utf8)[...]
        if text.utf8.count == 7, let month = number(2, from: &rest),
            rest.popFirst() == UInt8(ascii: "/"),
            let year = number(4, from: &rest)
        {
            return checked(year: year, month: month)
        }
        rest = Array(text.utf8)[...]
        guard let year = number(4, from: &rest), rest.popFirst() == UInt8(ascii: "-"),
            let month = number(2, from: &rest), let plain = checked(year: year, month: month)
        else { return nil }
        if rest.isEmpty { return plain }
        guard rest.popFirst() == UInt8(ascii: "-"), let day = number(2, from: &rest),
            (1...days(in: plain)).contains(day)
        else { return nil }
        if rest.isEmpty { return plain }
        guard let mark = rest.popFirst(), mark == UInt8(ascii: "T") || mark == UInt8(ascii: " "),
            let minutes = minuteOfDay(&rest), let offset = zone(rest)
        else { return nil }
        return shifted(plain, day: day, minutes: minutes - offset)
    }

    private static func minuteOfDay(_ rest: inout ArraySlice<UInt8>) -> Int? {
        guard let hour = number(2, from: &rest), hour < 24, rest.popFirst() == UInt8(ascii: ":"),
            let minute = number(2, from: &rest), minute < 60
        else { return nil }
        if rest.first == UInt8(ascii: ":") {
            rest = rest.dropFirst()
            guard let second = number(2, from: &rest), second <= 60 else { return nil }
            if rest.first == UInt8(ascii: ".") {
                rest = rest.dropFirst().drop(while: \.isASCIIDigit)
            }
        }
        return hour * 60 + minute
    }

    /// The offset from UTC in minutes, positive to the east; an absent offset means UTC.
    private static func zone(_ text: ArraySlice<UInt8>) -> Int? {
        var rest = text
        guard let mark = rest.popFirst() else { return 0 }
        if mark == UInt8(ascii: "Z") { return rest.isEmpty ? 0 : nil }
        guard mark == UInt8(ascii: "+") || mark == UInt8(ascii: "-"),
            let hours = number(2, from: &rest), hours < 24
        else { return nil }
        if rest.first == UInt8(ascii: ":") { rest = rest.dropFirst() }
        guard let minutes = number(2, from: &rest), minutes < 60, rest.isEmpty else { return nil }
        return (hours * 60 + minutes) * (mark == UInt8(ascii: "-") ? -1 : 1)
    }

    private static func shifted(_ month: CardExpiry, day: Int, minutes: Int) -> CardExpiry? {
        if minutes < 0, day == 1 {
            return month.month == 1
                ? CardExpiry(year: month.year - 1, month: 12)
                : CardExpiry(year: month.year, month: month.month - 1)
        }
        if minutes >= 24 * 60, day == days(in: month) {
            return month.month == 12
                ? CardExpiry(year: month.year + 1, month: 1)
                : CardExpiry(year: month.year, month: month.month + 1)
        }
        return month
    }

    private static func checked(year: Int, month: Int) -> CardExpiry? {
        guard (1...12).contains(month), (1900...9998).contains(year) else { return nil }
        return CardExpiry(year: year, month: month)
    }

    private static func days(in month: CardExpiry) -> Int {
        switch month.month {
        case 4, 6, 9, 11: 30
        case 2:
            month.year % 4 == 0 && (month.year % 100 != 0 || month.year % 400 == 0) ? 29 : 28
        default: 31
        }
    }

    private static func number(_ digits: Int, from rest: inout ArraySlice<UInt8>) -> Int? {
        guard rest.count >= digits, rest.prefix(digits).allSatisfy(\.isASCIIDigit) else {
            return nil
        }
        var value = 0
        for _ in 0..<digits { value = value * 10 + Int((rest.popFirst() ?? 0x30) - 0x30) }
        return value
    }
}
