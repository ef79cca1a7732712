/// Finds numbers in the form of a card's or a person's in a text, however they are written: card
/// numbers, Swedish personal numbers, telephone numbers.
struct TellingNumbers {
    /// Digits and the marks that are written between them.
    private struct Number {
        /// The digits.
        var digits: [UInt8] = []
        /// The digits at which a group begins.
        var starts: [Int] = []
        /// Whether a `+` stands before them.
        var hasPlus = false

        /// The ends of groups that end at most `length` digits after the beginning of a group.
        func ends(ofGroupsFrom group: Int, within length: Int) -> [Int] {
            let limit = starts[group] + length
            var ends = starts[(group + 1)...].prefix { $0 <= limit }[...]
            if ends.endIndex == starts.endIndex, digits.count <= limit { ends.append(digits.count) }
            return Array(ends)
        }
    }

    private let scalars: [Unicode.Scalar]

    /// Prepares the search of a text.
    init(_ scalars: [Unicode.Scalar]) { self.scalars = scalars }

    /// Whether there is such a number in the text.
    var isFound: Bool {
        guard scalars.contains(where: { $0.decimalDigit != nil }) else { return false }
        let numbers = numbers()
        return numbers.contains { isCard($0) || isTelephone($0) }
            || self.numbers(joiningRareMarks: true).contains(where: isOddlyWrittenCard)
            || hasPersonalNumber || hasTelephoneBehindSlash
    }

    /// The maximum number of consecutive separators between the digits of a number.
    private static let marksBetweenDigits = 3

    /// The numbers in the text.
    ///
    /// - Parameter joinsRareMarks: Whether marks that seldom occur within numbers also join digits.
    /// - Returns: The numbers, in order.
    private func numbers(joiningRareMarks joinsRareMarks: Bool = false) -> [Number] {
        var numbers: [Number] = []
        var number = Number()
        var marks = 0
        var plus: Int?
        for (place, scalar) in scalars.enumerated() {
            if let digit = scalar.decimalDigit {
                if marks > Self.marksBetweenDigits || number.digits.isEmpty {
                    if !number.digits.isEmpty { numbers.append(number) }
                    number = Number(hasPlus: plus != nil)
                    number.starts = [0]
                } else if marks > 0 {
                    number.starts.append(number.digits.count)
                }
                number.digits.append(digit)
                (marks, plus) = (0, nil)
            } else if scalar == "+" || scalar == "\u{FF0B}" {
                (marks, plus) = (Int.max, place)
            } else if OutsideTextScreen.isMarkWithinNumber(scalar)
                || joinsRareMarks && "_/|:,;\\·\t\n\r".unicodeScalars.contains(scalar)
            {
                marks = marks == Int.max ? marks : marks + 1
                if let last = plus, place - last > Self.marksBetweenDigits { plus = nil }
            } else {
                (marks, plus) = (Int.max, nil)
            }
        }
        if !number.digits.isEmpty { numbers.append(number) }
        return numbers
    }

    // MARK: Cards

    /// The numbers of digits that a card number can have.
    ///
    /// - Note: Source: ISO/IEC 7812, primary account number.
    private static let cardDigits = 13...19

    /// Whether a number contains a card number: whole groups with a valid check digit, or any
    /// digits that also begin as card numbers do.
    ///
    /// - Note: Source: ISO/IEC 7812-1, annex B.
    private func isCard(_ number: Number) -> Bool {
        guard number.digits.count >= Self.cardDigits.lowerBound else { return false }
        let areGroups = number.starts.enumerated().contains { group, start in
            number.digits[start] != 0
                && number.ends(ofGroupsFrom: group, within: Self.cardDigits.upperBound).contains {
                    Self.cardDigits.contains($0 - start)
                        && Self.hasCheckDigit(number.digits[start..<$0])
                }
        }
        return areGroups
            || number.digits.indices.contains { start in
                Self.lengths(of: number.digits[start...].prefix(4)).contains {
                    start + $0 <= number.digits.count
                        && Self.hasCheckDigit(number.digits[start..<start + $0])
                }
            }
    }

    /// Whether a number with rare marks between its groups contains a card number: whole groups
    /// that begin as card numbers do.
    ///
    /// Such marks may also join a list or anything else, so neither the check digit alone nor
    /// single digits count.
    private func isOddlyWrittenCard(_ number: Number) -> Bool {
        number.starts.enumerated().contains { group, start in
            let lengths = Self.lengths(of: number.digits[start...].prefix(4))
            var last = start
            for end in number.ends(ofGroupsFrom: group, within: Self.cardDigits.upperBound) {
                guard end - last >= Self.shortestGroup else { break }
                last = end
                if lengths.contains(end - start), Self.hasCheckDigit(number.digits[start..<end]) {
                    return true
                }
            }
            return false
        }
    }

    /// The minimum number of digits in a group of a card number.
    private static let shortestGroup = 3

    private static func hasCheckDigit(_ digits: ArraySlice<UInt8>) -> Bool {
        var sum = 0
        for (index, digit) in digits.reversed().enumerated() {
            let value = Int(digit) * (index % 2 == 0 ? 1 : 2)
            sum += value > 9 ? value - 9 : value
        }
        return sum % 10 == 0
    }

    /// The lengths of card numbers that begin with these digits; empty when none does.
    private static func lengths(of beginning: ArraySlice<UInt8>) -> [Int] {
        guard beginning.count == 4 else { return [] }
        let four = beginning.reduce(0) { $0 * 10 + Int($1) }
        return switch four {
        case 2200...2204: [16, 17, 18, 19]
        case 2221...2720: [16]
        case 3400...3499, 3700...3799: [15]
        case 3528...3589: [16, 17, 18, 19]
        case 3000...3059, 3095...3099, 3600...3699, 3800...3999: [14, 15, 16, 17, 18, 19]
        case 4000...4999: [13, 16, 19]
        case 5100...5599: [16]
        case 5000...5099, 5600...6999: [13, 14, 15, 16, 17, 18, 19]
        case 8100...8299, 9792: [16, 17, 18, 19]
        default: []
        }
    }

    // MARK: Telephones

    /// The numbers of digits that a telephone number can have, including the country code.
    ///
    /// - Note: Source: ITU-T E.164; no number in use is shorter than seven digits.
    private static let telephoneDigits = 7...15

    /// Whether a number contains a telephone number: an international one with `+` or `00`, or in
    /// the forms written in Sweden.
    ///
    /// - Note: Source: ITU-T E.164; the Swedish numbering plan.
    private func isTelephone(_ number: Number) -> Bool {
        if number.hasPlus, number.digits.count >= Self.telephoneDigits.lowerBound { return true }
        return number.starts.enumerated().contains { group, start in
            let ends = number.ends(ofGroupsFrom: group, within: Self.telephoneDigits.upperBound + 2)
            return ends.contains {
                Self.isTelephone(number.digits[start..<$0], isGrouped: $0 > ends[0])
            }
        }
    }

    private static func isTelephone(_ digits: ArraySlice<UInt8>, isGrouped: Bool) -> Bool {
        if digits.starts(with: [0, 0]) {
            return telephoneDigits.contains(digits.count - 2) && digits.dropFirst(2).first != 0
        }
        if digits.first == 0, digits.dropFirst().first != 0 {
            // Mobile numbers have ten digits; geographic numbers have fewer and are written in
            // groups.
            return digits.starts(with: [0, 7]) && digits.count == 10
                || isGrouped && (8...10).contains(digits.count)
        }
        // A form used by apps, without the plus, and the same with the national zero kept.
        return digits.starts(with: [4, 6, 7]) && digits.count == 11
            || digits.starts(with: [4, 6, 0, 7]) && digits.count == 12
    }

    /// Whether there is a telephone number with a slash after the area code: `070/123 45 67`.
    ///
    /// Dates and lists contain slashes as well, so the code must begin with exactly one zero, and
    /// the rest must be in groups of at least two digits without another slash.
    private var hasTelephoneBehindSlash: Bool {
        scalars.indices.contains { slash in
            guard scalars[slash] == "/" else { return false }
            let code = scalars[..<slash].suffix(5).reversed().prefix { $0.decimalDigit != nil }
            guard (2...4).contains(code.count), code.last == "0", code.dropLast().last != "0" else {
                return false
            }
            var (place, count) = (slash + 1, 0)
            while place < scalars.count {
                let group = scalars[place...].prefix { $0.decimalDigit != nil }.count
                guard group >= 2 else { break }
                count += group
                place += group
                guard place < scalars.count, OutsideTextScreen.isMarkWithinNumber(scalars[place])
                else { break }
                place += 1
            }
            return (5...10 - code.count).contains(count)
                && !(place < scalars.count && scalars[place] == "/")
        }
    }

    // MARK: Personal numbers

    /// Whether there is a personal identity number or coordination number.
    ///
    /// They consist of a date of birth, a dash (or a plus from the hundredth year on), and four
    /// digits of which the last is a check digit. When the century is given, the mark may be
    /// missing.
    ///
    /// - Note: Source: the Swedish Tax Agency, personal identity numbers: the check digit covers
    ///   ten digits.
    private var hasPersonalNumber: Bool {
        scalars.indices.contains { place in
            place == 0 || scalars[place - 1].decimalDigit == nil
                ? isPersonalNumber(at: place) : false
        }
    }

    private func digits(from start: Int, atMost count: Int) -> [UInt8] {
        scalars[start...].prefix(count + 1).prefix { $0.decimalDigit != nil }
            .compactMap(\.decimalDigit)
    }

    private func isPersonalNumber(at start: Int) -> Bool {
        var birth = digits(from: start, atMost: 12)
        let end = start + birth.count
        var last: [UInt8] = []
        if birth.count == 12 {
            // In this century, twelve digits are just as likely to be a day and a time.
            guard birth[0] == 1 else { return false }
            last = Array(birth[8...])
            birth = Array(birth[..<8])
        } else if birth.count == 8 || birth.count == 6, end < scalars.count,
            "-+\u{2010}\u{2011}\u{2013}\u{2212}".unicodeScalars.contains(scalars[end])
        {
            last = digits(from: end + 1, atMost: 4)
        }
        return last.count == 4 && Self.isDayOfBirth(birth)
            && Self.hasCheckDigit((birth.suffix(6) + last)[...])
    }

    /// Whether digits are a date; coordination numbers add sixty to the day.
    private static func isDayOfBirth(_ digits: [UInt8]) -> Bool {
        if digits.count == 8, ![[1, 8], [1, 9], [2, 0]].contains(Array(digits[..<2])) {
            return false
        }
        let short = digits.suffix(4).map { Int($0) }
        guard short.count == 4 else { return false }
        let month = short[0] * 10 + short[1]
        let day = short[2] * 10 + short[3]
        return (1...12).contains(month) && ((1...31).contains(day) || (61...91).contains(day))
    }
}

extension Unicode.Scalar {
    /// The value of a decimal digit in any script; `nil` for other scalars.
    fileprivate var decimalDigit: UInt8? {
        if isASCII { return (0x30...0x39).contains(value) ? UInt8(value - 0x30) : nil }
        guard properties.numericType == .decimal, let number = properties.numericValue else {
            return nil
        }
        return UInt8(exactly: number)
    }
}
