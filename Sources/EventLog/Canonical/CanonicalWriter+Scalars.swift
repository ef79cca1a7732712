extension CanonicalWriter {
    /// Writes a string with the escapes that canonical JSON requires, and no others.
    ///
    /// - Note: Source: RFC 8785, serialization of strings.
    package mutating func string(_ text: String) {
        // Strings that this process made have contiguous UTF-8, so nothing is copied.
        guard text.utf8.withContiguousStorageIfAvailable({ string($0) }) == nil else { return }
        var text = text
        text.withUTF8 { string($0) }
    }

    private mutating func string(_ text: UnsafeBufferPointer<UInt8>) {
        guard !PlainText.isPlain(text) else { return quote(text) }
        append(UInt8(ascii: "\""))
        var start = 0
        for index in text.indices where Self.needsEscape(text[index]) {
            append(UnsafeBufferPointer(rebasing: text[start..<index]))
            escape(text[index])
            start = index + 1
        }
        append(UnsafeBufferPointer(rebasing: text[start...]))
        append(UInt8(ascii: "\""))
    }

    /// Writes a string for a terminal: backspace, form feed and delete are escaped by number, the
    /// rest as canonical JSON requires.
    package mutating func shownString(_ text: String) {
        append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            switch byte {
            case 0x08, 0x0C, 0x7F: escapeByNumber(byte)
            case _ where Self.needsEscape(byte): escape(byte)
            default: append(byte)
            }
        }
        append(UInt8(ascii: "\""))
    }

    /// Writes a string that needs no escapes.
    private mutating func quote(_ plain: UnsafeBufferPointer<UInt8>) {
        append(plain.count + 2) { text in
            text[0] = UInt8(ascii: "\"")
            if let start = plain.baseAddress { (text + 1).update(from: start, count: plain.count) }
            text[plain.count + 1] = UInt8(ascii: "\"")
        }
    }

    @inlinable @inline(__always)
    static func needsEscape(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    private mutating func escape(_ byte: UInt8) {
        switch byte {
        case 0x08: literal("\\b")
        case 0x09: literal("\\t")
        case 0x0A: literal("\\n")
        case 0x0C: literal("\\f")
        case 0x0D: literal("\\r")
        case UInt8(ascii: "\""): literal("\\\"")
        case UInt8(ascii: "\\"): literal("\\\\")
        default: escapeByNumber(byte)
        }
    }

    private mutating func escapeByNumber(_ byte: UInt8) {
        literal("\\u00")
        append((byte >> 4).hexadecimalDigit)
        append((byte & 0xF).hexadecimalDigit)
    }

    /// Writes a number in decimal digits.
    package mutating func appendDecimal(_ value: Int64) {
        if value < 0 { append(UInt8(ascii: "-")) }
        let magnitude = value.magnitude
        var length = 1
        var bound: UInt64 = 10
        while length < 19, magnitude >= bound {
            length += 1
            bound &*= 10
        }
        append(length) { Self.decimal(magnitude, digits: length, into: $0) }
    }

    /// Writes a digest as a string of 64 hexadecimal digits.
    package mutating func digest(_ value: Digest256) {
        append(66) { text in
            text[0] = UInt8(ascii: "\"")
            Self.hexadecimal(value.words.0, digits: 16, into: text + 1)
            Self.hexadecimal(value.words.1, digits: 16, into: text + 17)
            Self.hexadecimal(value.words.2, digits: 16, into: text + 33)
            Self.hexadecimal(value.words.3, digits: 16, into: text + 49)
            text[65] = UInt8(ascii: "\"")
        }
    }

    /// Writes a session identifier as a string.
    package mutating func session(_ value: SessionID) {
        append(38) { text in
            text[0] = UInt8(ascii: "\"")
            Self.hexadecimal(value.high >> 32, digits: 8, into: text + 1)
            Self.hexadecimal(value.high >> 16, digits: 4, into: text + 10)
            Self.hexadecimal(value.high, digits: 4, into: text + 15)
            Self.hexadecimal(value.low >> 48, digits: 4, into: text + 20)
            Self.hexadecimal(value.low, digits: 12, into: text + 25)
            text[9] = UInt8(ascii: "-")
            text[14] = UInt8(ascii: "-")
            text[19] = UInt8(ascii: "-")
            text[24] = UInt8(ascii: "-")
            text[37] = UInt8(ascii: "\"")
        }
    }

    /// Writes an instant as a string: RFC 3339 in UTC with six decimals.
    package mutating func instant(_ value: Instant) {
        let day: Int64 = 86_400_000_000
        let remainder = value.microseconds % day
        let days = value.microseconds / day - (remainder < 0 ? 1 : 0)
        let inDay = UInt64(remainder < 0 ? remainder + day : remainder)
        let (year, month, dayOfMonth) = Instant.civil(fromDays: days)
        // Four digits can't express other years; the pure layers never produce them.
        guard (0...9999).contains(year) else {
            isExact = false
            return literal("\"0000-00-00T00:00:00.000000Z\"")
        }
        let second = inDay / 1_000_000
        append(29) { text in
            text[0] = UInt8(ascii: "\"")
            Self.decimal(UInt64(year), digits: 4, into: text + 1)
            text[5] = UInt8(ascii: "-")
            Self.decimal(UInt64(month), digits: 2, into: text + 6)
            text[8] = UInt8(ascii: "-")
            Self.decimal(UInt64(dayOfMonth), digits: 2, into: text + 9)
            text[11] = UInt8(ascii: "T")
            Self.decimal(second / 3600, digits: 2, into: text + 12)
            text[14] = UInt8(ascii: ":")
            Self.decimal(second / 60 % 60, digits: 2, into: text + 15)
            text[17] = UInt8(ascii: ":")
            Self.decimal(second % 60, digits: 2, into: text + 18)
            text[20] = UInt8(ascii: ".")
            Self.decimal(inDay % 1_000_000, digits: 6, into: text + 21)
            text[27] = UInt8(ascii: "Z")
            text[28] = UInt8(ascii: "\"")
        }
    }

    @inlinable @inline(__always)
    static func decimal(
        _ value: UInt64,
        digits: Int,
        into text: UnsafeMutablePointer<UInt8>
    ) {
        var rest = value
        for place in stride(from: digits - 1, through: 0, by: -1) {
            let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
            text[place] = 0x30 + UInt8(truncatingIfNeeded: digit)
            rest = quotient
        }
    }

    @inlinable @inline(__always)
    static func hexadecimal(
        _ word: UInt64,
        digits: Int,
        into text: UnsafeMutablePointer<UInt8>
    ) {
        for place in 0..<digits {
            let nibble = UInt8(truncatingIfNeeded: word >> UInt64((digits - 1 - place) * 4)) & 0xF
            text[place] = nibble.hexadecimalDigit
        }
    }
}
