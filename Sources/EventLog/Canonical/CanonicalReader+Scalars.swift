extension CanonicalReader {
    /// Reads a string.
    @inlinable @inline(__always)
    package mutating func string() throws(EventDecodingError) -> String {
        let start = index + 1
        let (end, isASCII) = endOfASCII(from: start)
        // Most text is plain ASCII: it has no escapes to resolve and needs no validation.
        if next == UInt8(ascii: "\""), byte(at: end) == UInt8(ascii: "\""), isASCII {
            try checkLength(of: start..<end)
            step(to: end + 1)
            return String(decoding: slice(start..<end), as: UTF8.self)
        }
        let range = try stringRange()
        return try text(in: range)
    }

    /// Steps over a string and checks its escapes and its length.
    ///
    /// - Returns: The string's range, without its quotation marks.
    @inlinable @inline(__always)
    package mutating func stringRange() throws(EventDecodingError) -> Range<Int> {
        try expect(UInt8(ascii: "\""))
        let start = index
        var place = endOfPlainText(from: start)
        while byte(at: place) != UInt8(ascii: "\"") {
            place = endOfPlainText(from: try endOfEscape(at: place))
        }
        step(to: place + 1)
        try checkLength(of: start..<place)
        return start..<place
    }

    /// Checks that a string that is skipped and never read is valid UTF-8.
    package func checkText(in range: Range<Int>) throws(EventDecodingError) {
        let raw = slice(range)
        guard PlainText.isASCII(raw) || String(validating: raw, as: UTF8.self) != nil else {
            throw .malformed(offset: range.lowerBound)
        }
    }

    /// The text of a string that was stepped over.
    ///
    /// - Throws: When the string is not valid UTF-8.
    @inlinable @inline(__always)
    package func text(in range: Range<Int>) throws(EventDecodingError) -> String {
        let raw = slice(range)
        let text =
            raw.contains(UInt8(ascii: "\\"))
            ? String(validating: unescaped(raw), as: UTF8.self)
            : String(validating: raw, as: UTF8.self)
        guard let text else { throw .malformed(offset: range.lowerBound) }
        return text
    }

    /// Checks an escape; canonical JSON permits only these.
    @usableFromInline func endOfEscape(at place: Int) throws(EventDecodingError) -> Int {
        guard byte(at: place) == UInt8(ascii: "\\") else { throw .notCanonical(offset: place) }
        switch byte(at: place + 1) {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            return place + 2
        case UInt8(ascii: "u"):
            let (high, low) = (byte(at: place + 4), byte(at: place + 5))
            guard matches("00", at: place + 2), high == 0x30 || high == 0x31,
                let nibble = low.hexadecimalValue, nibble.hexadecimalDigit == low
            else { throw .notCanonical(offset: place) }
            let value = (high - 0x30) << 4 | nibble
            if (0x08...0x0A).contains(value) || value == 0x0C || value == 0x0D {
                throw .notCanonical(offset: place)
            }
            return place + 6
        default: throw .notCanonical(offset: place)
        }
    }

    /// Resolves escapes that have already been checked.
    @usableFromInline func unescaped(_ raw: UnsafeBufferPointer<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(raw.count)
        var place = 0
        while place < raw.count {
            guard raw[place] == UInt8(ascii: "\\"), place + 1 < raw.count else {
                result.append(raw[place])
                place += 1
                continue
            }
            let letter = raw[place + 1]
            place += 2
            switch letter {
            case UInt8(ascii: "b"): result.append(0x08)
            case UInt8(ascii: "f"): result.append(0x0C)
            case UInt8(ascii: "n"): result.append(0x0A)
            case UInt8(ascii: "r"): result.append(0x0D)
            case UInt8(ascii: "t"): result.append(0x09)
            case UInt8(ascii: "u") where place + 3 < raw.count:
                let low = raw[place + 3].hexadecimalValue ?? 0
                result.append((raw[place + 2] &- 0x30) << 4 | low)
                place += 4
            default: result.append(letter)
            }
        }
        return result
    }

    /// Reads a whole number within ±(2^53 - 1) in its only canonical form.
    package mutating func integer() throws(EventDecodingError) -> Int64 {
        let start = index
        var place = index
        let isNegative = byte(at: place) == UInt8(ascii: "-")
        if isNegative { place += 1 }
        let first = place
        var value: Int64 = 0
        while case let digit = byte(at: place) &- 0x30, digit < 10 {
            guard place - first < 16 else { throw .notCanonical(offset: start) }
            value = value * 10 + Int64(digit)
            place += 1
        }
        let hasLeadingZero = byte(at: first) == 0x30 && (place - first > 1 || isNegative)
        guard place > first, !hasLeadingZero, value <= CanonicalWriter.greatestInteger else {
            throw .notCanonical(offset: start)
        }
        step(to: place)
        return isNegative ? -value : value
    }

    /// Reads a Boolean.
    package mutating func bool() throws(EventDecodingError) -> Bool {
        if next == UInt8(ascii: "t") {
            try expect("true")
            return true
        }
        try expect("false")
        return false
    }

    /// Reads a digest: a string of 64 lower-case hexadecimal digits.
    package mutating func digest() throws(EventDecodingError) -> Digest256 {
        let start = index
        guard byte(at: start) == UInt8(ascii: "\""), byte(at: start + 65) == UInt8(ascii: "\"")
        else { throw .notCanonical(offset: start) }
        let words = (
            try hexadecimal(16, at: start + 1), try hexadecimal(16, at: start + 17),
            try hexadecimal(16, at: start + 33), try hexadecimal(16, at: start + 49)
        )
        step(to: start + 66)
        return Digest256(words: words)
    }

    /// The value of the given number of lower-case hexadecimal digits.
    @inlinable @inline(__always)
    package func hexadecimal(_ count: Int, at start: Int) throws(EventDecodingError) -> UInt64 {
        var value: UInt64 = 0
        var place = start
        while start + count - place >= 8, let digits = word(at: place) {
            guard let part = HexadecimalWord.value(of: digits) else {
                throw .notCanonical(offset: start)
            }
            value = value << 32 | part
            place += 8
        }
        while place < start + count {
            let digit = byte(at: place)
            let decimal = digit &- 0x30
            let letter = digit &- 0x61
            guard decimal < 10 || letter < 6 else { throw .notCanonical(offset: start) }
            value = value << 4 | UInt64(decimal < 10 ? decimal : letter + 10)
            place += 1
        }
        return value
    }

    /// The value of the given number of decimal digits.
    @inlinable @inline(__always)
    package func decimal(_ count: Int, at start: Int) throws(EventDecodingError) -> Int64 {
        var value: Int64 = 0
        for place in start..<start + count {
            let digit = byte(at: place) &- 0x30
            guard digit < 10 else { throw .notCanonical(offset: start) }
            value = value * 10 + Int64(digit)
        }
        return value
    }
}
