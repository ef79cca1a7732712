/// Finds harmless text that is common in logs: it is never masked, and it ends any candidate before
/// it.
enum HarmlessText {
    /// The ranges of harmless pieces.
    static func ranges(in scalars: [Unicode.Scalar]) -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        var place = 0
        while place < scalars.count {
            guard let end = end(in: scalars, at: place) else {
                place += 1
                continue
            }
            ranges.append(place..<end)
            place = end
        }
        return ranges
    }

    private static func end(in scalars: [Unicode.Scalar], at place: Int) -> Int? {
        let scalar = scalars[place]
        if scalar == "[" || scalar == "(" { return Mask.end(in: scalars, at: place) }
        guard scalar.isASCIIAlphanumeric,
            place == 0 || !scalars[place - 1].isASCIIAlphanumeric
        else { return nil }
        return endOfSession(in: scalars, at: place) ?? endOfTime(in: scalars, at: place)
            ?? endOfDigest(in: scalars, at: place)
    }

    /// A session identifier: a UUID of version 7.
    private static func endOfSession(in scalars: [Unicode.Scalar], at place: Int) -> Int? {
        let end = place + 36
        guard end <= scalars.count, end == scalars.count || !scalars[end].isASCIIAlphanumeric,
            scalars[place + 8] == "-", scalars[place..<end].allSatisfy(\.isASCII),
            SessionID(utf8: scalars[place..<end].map { UInt8($0.value) }) != nil
        else { return nil }
        return end
    }

    /// A day such as `2026-11-20`, with or without a time after it.
    private static func endOfTime(in scalars: [Unicode.Scalar], at start: Int) -> Int? {
        // Within a longer number with dashes it is not a day.
        if start > 0, scalars[start - 1] == "-" { return nil }
        guard let year = number(4, in: scalars, at: start), (1900...2199).contains(year),
            mark("-", in: scalars, at: start + 4),
            let month = number(2, in: scalars, at: start + 5), (1...12).contains(month),
            mark("-", in: scalars, at: start + 7),
            let day = number(2, in: scalars, at: start + 8), (1...31).contains(day)
        else { return nil }
        var end = start + 10
        if mark("T", in: scalars, at: end) || mark(" ", in: scalars, at: end),
            let hour = number(2, in: scalars, at: end + 1), hour < 24,
            mark(":", in: scalars, at: end + 3),
            let minute = number(2, in: scalars, at: end + 4), minute < 60
        {
            end += 6
            if mark(":", in: scalars, at: end), number(2, in: scalars, at: end + 1) != nil {
                end += 3
                if mark(".", in: scalars, at: end) {
                    let digits = scalars[(end + 1)...].prefix { $0.decimalDigit != nil }.count
                    // No clock is finer than nanoseconds, and a longer number is not a time.
                    guard (1...9).contains(digits), !goesOn(after: end + 1 + digits, in: scalars)
                    else { return nil }
                    end += 1 + digits
                }
            }
            if mark("Z", in: scalars, at: end) {
                end += 1
            } else if mark("+", in: scalars, at: end) || mark("-", in: scalars, at: end),
                number(2, in: scalars, at: end + 1) != nil, mark(":", in: scalars, at: end + 3),
                number(2, in: scalars, at: end + 4) != nil
            {
                end += 6
            }
        }
        if end < scalars.count, scalars[end].isASCIIAlphanumeric || scalars[end] == "-" {
            return nil
        }
        return end
    }

    /// Whether more digits follow after marks that may occur within a number.
    private static func goesOn(after end: Int, in scalars: [Unicode.Scalar]) -> Bool {
        let rest = scalars[end...].drop { OutsideTextScreen.isMarkWithinNumber($0) }
        return rest.startIndex > end && rest.first?.decimalDigit != nil
    }

    /// The names that directly precede a digest; tokens have the same form but other names.
    private static let digestNames = [
        "sha256", "sha-256", "sha1", "sha-1", "sha512", "sha-512", "md5", "digest", "hash",
        "fingerprint", "commit",
    ]

    /// A digest in hexadecimal digits after its name: `sha256:…`.
    private static func endOfDigest(in scalars: [Unicode.Scalar], at start: Int) -> Int? {
        let digits = scalars[start...].prefix {
            $0.isASCII && UInt8($0.value).hexadecimalValue != nil
        }
        guard [32, 40, 64, 128].contains(digits.count),
            digits.endIndex == scalars.count || !scalars[digits.endIndex].isASCIIAlphanumeric
        else { return nil }
        let before = scalars[..<start].suffix(16)
        let text = String(String.UnicodeScalarView(before.map(\.lowercasedASCII)))
            .trimmingSuffix { ": =".contains($0) }
        guard text.unicodeScalars.count < before.count,
            digestNames.contains(where: { text.hasSuffix($0) })
        else { return nil }
        return digits.endIndex
    }

    private static func number(_ count: Int, in scalars: [Unicode.Scalar], at start: Int) -> Int? {
        guard start + count <= scalars.count else { return nil }
        var value = 0
        for scalar in scalars[start..<start + count] {
            guard scalar.isASCII, let digit = scalar.decimalDigit else { return nil }
            value = value * 10 + Int(digit)
        }
        return value
    }

    private static func mark(
        _ mark: Unicode.Scalar,
        in scalars: [Unicode.Scalar],
        at place: Int
    ) -> Bool {
        place < scalars.count && scalars[place] == mark
    }
}

extension String {
    fileprivate func trimmingSuffix(while fits: (Character) -> Bool) -> Substring {
        var rest = self[...]
        while let last = rest.last, fits(last) { rest.removeLast() }
        return rest
    }
}
