import Glibc

/// The lines of a text, found by searches for bytes.
struct Lines {
    private let text: String

    init(of text: String) {
        var text = text
        text.makeContiguousUTF8()
        self.text = text
    }

    /// All lines; one more than the text has line ends.
    var all: [Substring] {
        withBytes { bytes in
            var lines: [Substring] = []
            var start = 0
            while let end = Self.position(of: 0x0A, in: bytes, from: start) {
                lines.append(line(start..<end))
                start = end + 1
            }
            lines.append(line(start..<bytes.count))
            return lines
        }
    }

    /// The lines that contain one of several words, each once and with its number.
    func containing(_ words: [String]) -> [(number: Int, line: Substring)] {
        withBytes { bytes in
            var found: [(number: Int, line: Substring)] = []
            let places = words.flatMap { Self.places(of: $0, in: bytes) }.sorted()
            var (number, start) = (1, 0)
            for place in places {
                // In a line that was found before.
                guard place >= start else { continue }
                while let end = Self.position(of: 0x0A, in: bytes, from: start), end < place {
                    (number, start) = (number + 1, end + 1)
                }
                let end = Self.position(of: 0x0A, in: bytes, from: place) ?? bytes.count
                found.append((number, line(start..<end)))
                (number, start) = (number + 1, end + 1)
            }
            return found
        }
    }

    /// Whether the text contains a word.
    func contain(_ word: String) -> Bool {
        withBytes { Self.place(of: word, in: $0, from: 0) != nil }
    }

    private func line(_ range: Range<Int>) -> Substring {
        let start = text.utf8.index(text.startIndex, offsetBy: range.lowerBound)
        return text[start..<text.utf8.index(start, offsetBy: range.count)]
    }

    /// Calls a function with the bytes of the text, behind which is a zero.
    private func withBytes<Result>(_ body: (UnsafeBufferPointer<CChar>) -> Result) -> Result {
        text.withCString { body(UnsafeBufferPointer(start: $0, count: text.utf8.count)) }
    }

    /// Returns the position of the next such byte.
    private static func position(
        of byte: UInt8,
        in bytes: UnsafeBufferPointer<CChar>,
        from start: Int
    ) -> Int? {
        guard start < bytes.count, let base = bytes.baseAddress else { return nil }
        let found = memchr(base + start, Int32(byte), bytes.count - start)
        return found.map { UnsafeRawPointer($0) - UnsafeRawPointer(base) }
    }

    /// Returns the positions of a word.
    private static func places(of word: String, in bytes: UnsafeBufferPointer<CChar>) -> [Int] {
        var places: [Int] = []
        var start = 0
        while let found = place(of: word, in: bytes, from: start) {
            places.append(found)
            start = found + 1
        }
        return places
    }

    /// Returns the next position of a word.
    private static func place(
        of word: String,
        in bytes: UnsafeBufferPointer<CChar>,
        from start: Int
    ) -> Int? {
        guard let base = bytes.baseAddress else { return nil }
        var start = start
        while start < bytes.count {
            if let found = strstr(base + start, word) { return UnsafePointer(found) - base }
            // The search ends at a zero, which may be in the middle of a text.
            start += strlen(base + start) + 1
        }
        return nil
    }
}
