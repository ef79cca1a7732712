/// How many cells of a terminal a character takes.
///
/// - Note: Source: Unicode, East Asian Width (UAX #11): wide and full-width characters take two;
///   emoji, too, when they are shown as pictures.
extension Character {
    /// The cells: two for wide characters and pictures, none for what only changes the character
    /// before it, else one.
    package var cellCount: Int {
        guard let first = unicodeScalars.first, !first.isASCII else { return 1 }
        let hasPicture = unicodeScalars.contains { $0.value == 0xFE0F }
        if hasPicture || first.isWide || first.properties.isEmojiPresentation { return 2 }
        switch first.properties.generalCategory {
        case .nonspacingMark, .enclosingMark: return 0
        default: return 1
        }
    }
}

extension StringProtocol {
    /// The cells that the text takes.
    package var cellCount: Int {
        utf8.allSatisfy { $0 < 0x80 } ? utf8.count : reduce(0) { $0 + $1.cellCount }
    }

    /// The beginning of the text that fits into so many cells.
    package func prefix(cells: Int) -> SubSequence {
        var (left, end) = (cells, startIndex)
        while end < endIndex, self[end].cellCount <= left {
            left -= self[end].cellCount
            end = index(after: end)
        }
        return self[..<end]
    }

    /// The end of the text that fits into so many cells.
    package func suffix(cells: Int) -> SubSequence {
        var (left, begin) = (cells, endIndex)
        while begin > startIndex {
            let before = index(before: begin)
            guard self[before].cellCount <= left else { break }
            left -= self[before].cellCount
            begin = before
        }
        return self[begin...]
    }
}

extension Unicode.Scalar {
    /// Whether it is as wide as two letters, by the table of wide and full-width characters.
    fileprivate var isWide: Bool {
        let value = value
        guard value >= 0x1100 else { return false }
        return Self.wide.contains { $0.contains(value) }
    }

    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF,
        0x4E00...0x9FFF, 0xA000...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF,
        0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x18DFF,
        0x1AFF0...0x1B2FF, 0x1F200...0x1F2FF, 0x20000...0x2FFFD, 0x30000...0x3FFFD,
    ]
}
