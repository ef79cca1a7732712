/// Numbers of people: Swedish personal identity numbers, and telephone numbers with a slash after
/// the area code.
extension SecretFinder {
    /// Personal identity numbers and coordination numbers.
    ///
    /// They consist of a date of birth, a dash (or a plus from the hundredth year on), and four
    /// digits of which the last is a check digit. When the century is given, the mark may be
    /// missing.
    ///
    /// - Note: Source: the Swedish Tax Agency, personal identity numbers: the check digit covers
    ///   ten digits.
    func personalNumbers() -> [Finding] {
        var found: [Finding] = []
        var place = 0
        while place < scalars.count {
            guard isStartOfNumber(place), let end = personalNumber(at: place) else {
                place += 1
                continue
            }
            found.append(Finding(range: place..<end, kind: .personalNumber))
            place = end
        }
        return found
    }

    private func isStartOfNumber(_ place: Int) -> Bool {
        !isSpared[place] && scalars[place].decimalDigit != nil
            && (place == 0 || scalars[place - 1].decimalDigit == nil)
    }

    private func digits(from start: Int, atMost count: Int) -> [UInt8] {
        let place = run(from: start) { $0.decimalDigit != nil }
        return scalars[place].prefix(count + 1).compactMap(\.decimalDigit)
    }

    private func personalNumber(at start: Int) -> Int? {
        var birth = digits(from: start, atMost: 12)
        var end = start + birth.count
        var last: [UInt8] = []
        if birth.count == 12 {
            // In this century, twelve digits are just as likely to be a day and a time.
            guard birth[0] == 1 else { return nil }
            last = Array(birth[8...])
            birth = Array(birth[..<8])
        } else if birth.count == 8 || birth.count == 6, end < scalars.count,
            "-+\u{2010}\u{2011}\u{2013}\u{2212}".unicodeScalars.contains(scalars[end])
        {
            last = digits(from: end + 1, atMost: 4)
            end += 1 + last.count
        }
        guard last.count == 4, Self.isDayOfBirth(birth),
            Self.hasCheckDigit((birth.suffix(6) + last)[...])
        else { return nil }
        return end
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

    // MARK: Telephone numbers

    /// The numbers of digits that an area code can have, including the zero.
    private static let areaCode = 2...4

    /// Telephone numbers with a slash after the area code: `070/123 45 67`.
    ///
    /// Dates and lists contain slashes as well, so the code must begin with exactly one zero, and
    /// the rest must be in groups of at least two digits without another slash.
    func numbersBehindSlash() -> [Finding] {
        scalars.indices.compactMap { slash in
            guard scalars[slash] == "/", !isInAddress(slash) else { return nil }
            let code = run(before: slash) { $0.decimalDigit != nil }
            let codeDigits = scalars[code].compactMap(\.decimalDigit)
            guard Self.areaCode.contains(codeDigits.count), codeDigits[0] == 0, codeDigits[1] != 0,
                let end = endOfGroups(from: slash + 1, atMost: 10 - codeDigits.count),
                !(end < scalars.count && scalars[end] == "/")
            else { return nil }
            return Finding(range: code.lowerBound..<end, kind: .telephoneNumber)
        }
    }

    /// The end of groups of digits that have at least five digits and at most `limit` in total.
    private func endOfGroups(from start: Int, atMost limit: Int) -> Int? {
        var (place, count, end) = (start, 0, start)
        while place < scalars.count {
            let group = run(from: place) { $0.decimalDigit != nil }
            guard group.count >= 2 else { break }
            count += group.count
            guard count <= limit else { return nil }
            end = group.upperBound
            guard end < scalars.count, OutsideTextScreen.isMarkWithinNumber(scalars[end]) else {
                break
            }
            place = end + 1
        }
        return count >= 5 ? end : nil
    }
}
