/// Card numbers and telephone numbers.
extension SecretFinder {
    /// Digits and the marks that are written between them.
    private struct Number {
        /// The index of each digit.
        var places: [Int] = []
        /// The digits.
        var digits: [UInt8] = []
        /// The digits at which a group begins.
        var starts: [Int] = []
        /// The index of a `+` before them.
        var plus: Int?

        /// The ends of groups that end at most `length` digits after the beginning of a group.
        func ends(ofGroupsFrom group: Int, within length: Int) -> [Int] {
            let limit = starts[group] + length
            var ends = starts[(group + 1)...].prefix { $0 <= limit }[...]
            if ends.endIndex == starts.endIndex, digits.count <= limit { ends.append(digits.count) }
            return Array(ends)
        }

        func range(_ digits: Range<Int>) -> Range<Int> {
            places[digits.lowerBound]..<places[digits.upperBound - 1] + 1
        }
    }

    /// The maximum number of consecutive separators between the digits of a number.
    private static let marksBetweenDigits = 3
    /// The numbers of digits that a card number can have.
    ///
    /// - Note: Source: ISO/IEC 7812, primary account number.
    private static let cardDigits = 13...19
    /// The numbers of digits that a telephone number can have, including the country code.
    ///
    /// - Note: Source: ITU-T E.164; no number in use is shorter than seven digits.
    private static let telephoneDigits = 7...15
    /// The length of the longest telephone number with `00` before it.
    private static let longestTelephone = telephoneDigits.upperBound + 2

    /// The numbers in the text.
    ///
    /// - Parameter joinsRareMarks: Whether marks that seldom occur within numbers also join digits.
    /// - Returns: The numbers, in order.
    private func numbers(joiningRareMarks joinsRareMarks: Bool = false) -> [Number] {
        var numbers: [Number] = []
        var number = Number()
        var marks = 0
        var lastPlus: Int?
        for place in scalars.indices {
            let scalar = scalars[place]
            if isSpared[place] {
                marks = Int.max
                lastPlus = nil
            } else if let digit = scalar.decimalDigit {
                if marks > Self.marksBetweenDigits || number.digits.isEmpty {
                    if !number.digits.isEmpty { numbers.append(number) }
                    number = Number(plus: lastPlus)
                    number.starts = [0]
                } else if marks > 0 {
                    number.starts.append(number.digits.count)
                }
                number.places.append(place)
                number.digits.append(digit)
                marks = 0
                lastPlus = nil
            } else if scalar == "+" || scalar == "\u{FF0B}" {
                marks = Int.max
                lastPlus = place
            } else if OutsideTextScreen.isMarkWithinNumber(scalar)
                || scalar.properties.generalCategory == .format
                || joinsRareMarks && isRareMark(at: place)
            {
                marks = marks == Int.max ? marks : marks + 1
                if let plus = lastPlus, place - plus > Self.marksBetweenDigits { lastPlus = nil }
            } else {
                marks = Int.max
                lastPlus = nil
            }
        }
        if !number.digits.isEmpty { numbers.append(number) }
        return numbers
    }

    /// Whether the mark at an index is one that is seldom written within numbers.
    ///
    /// In an address such marks separate its parts.
    private func isRareMark(at place: Int) -> Bool {
        "_/|:,;\\·\t\n\r".unicodeScalars.contains(scalars[place]) && !isInAddress(place)
    }

    // MARK: Card numbers

    /// Card numbers, found by their check digit regardless of the surrounding text.
    ///
    /// - Note: Source: ISO/IEC 7812-1, annex B.
    func cards() -> [Finding] {
        var found: [Finding] = []
        for number in numbers() where number.digits.count >= Self.cardDigits.lowerBound {
            var windows: [Range<Int>] = []
            for (group, start) in number.starts.enumerated() where number.digits[start] != 0 {
                let ends = number.ends(ofGroupsFrom: group, within: Self.cardDigits.upperBound)
                for end in ends where Self.cardDigits.contains(end - start) {
                    if Self.hasCheckDigit(number.digits[start..<end]) {
                        windows.append(start..<end)
                    }
                }
            }
            // A card number adjacent to other digits is recognized by the leading digits of its
            // kind.
            for start in number.digits.indices {
                for length in Self.lengths(of: number.digits[start...].prefix(4)) {
                    let end = start + length
                    guard end <= number.digits.count,
                        Self.hasCheckDigit(number.digits[start..<end])
                    else { continue }
                    windows.append(start..<end)
                }
            }
            found += windows.map { Finding(range: number.range($0), kind: .cardNumber) }
        }
        return found + oddlyWrittenCards()
    }

    /// Card numbers with rare marks between their groups: whole groups that begin as card numbers
    /// do.
    ///
    /// Such marks may also join a list or anything else, so neither the check digit alone nor
    /// single digits count.
    private func oddlyWrittenCards() -> [Finding] {
        var found: [Finding] = []
        for number in numbers(joiningRareMarks: true) {
            for (group, start) in number.starts.enumerated() {
                let lengths = Self.lengths(of: number.digits[start...].prefix(4))
                var last = start
                for end in number.ends(ofGroupsFrom: group, within: Self.cardDigits.upperBound) {
                    guard end - last >= Self.shortestGroup else { break }
                    last = end
                    guard lengths.contains(end - start),
                        Self.hasCheckDigit(number.digits[start..<end])
                    else { continue }
                    found.append(Finding(range: number.range(start..<end), kind: .cardNumber))
                }
            }
        }
        return found
    }

    /// The minimum number of digits in a group of a card number.
    private static let shortestGroup = 3

    static func hasCheckDigit(_ digits: ArraySlice<UInt8>) -> Bool {
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

    // MARK: Telephone numbers

    /// Telephone numbers: international ones with `+` or `00`, and the forms written in Sweden.
    ///
    /// - Note: Source: ITU-T E.164; the Swedish numbering plan.
    func telephones() -> [Finding] {
        numbersBehindSlash()
            + numbers().flatMap { number -> [Finding] in
                if let plus = number.plus, let range = Self.international(number) {
                    return [
                        Finding(
                            range: plus..<number.range(range).upperBound,
                            kind: .telephoneNumber
                        )
                    ]
                }
                var found: [Finding] = []
                var free = 0
                for (group, start) in number.starts.enumerated() where start >= free {
                    let ends = number.ends(ofGroupsFrom: group, within: Self.longestTelephone)
                    guard
                        let end = ends.last(where: {
                            Self.isTelephone(number.digits[start..<$0], isGrouped: $0 > ends[0])
                        })
                    else { continue }
                    found.append(
                        Finding(range: number.range(start..<end), kind: .telephoneNumber)
                    )
                    free = end
                }
                return found
            }
    }

    /// The digits after a `+`: as many groups as a number can have, or all digits of a single
    /// group.
    private static func international(_ number: Number) -> Range<Int>? {
        guard number.digits.count >= telephoneDigits.lowerBound else { return nil }
        let ends = number.ends(ofGroupsFrom: 0, within: telephoneDigits.upperBound)
        return 0..<(ends.last { telephoneDigits.contains($0) } ?? number.digits.count)
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
}
