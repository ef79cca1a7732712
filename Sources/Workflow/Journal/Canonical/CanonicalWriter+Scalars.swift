extension CanonicalWriter {
    /// Writes a string with the escapes that canonical JSON wants, and no others.
    ///
    /// Source: RFC 8785, serialisation of strings.
    mutating func string(_ text: String) {
        var text = text
        append(UInt8(ascii: "\""))
        text.withUTF8 { buffer in
            var start = 0
            for index in buffer.indices where Self.needsEscape(buffer[index]) {
                append(UnsafeBufferPointer(rebasing: buffer[start..<index]))
                escape(buffer[index])
                start = index + 1
            }
            append(UnsafeBufferPointer(rebasing: buffer[start...]))
        }
        append(UInt8(ascii: "\""))
    }

    @inline(__always)
    private static func needsEscape(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    private mutating func escape(_ byte: UInt8) {
        append(UInt8(ascii: "\\"))
        switch byte {
        case 0x08: append(UInt8(ascii: "b"))
        case 0x09: append(UInt8(ascii: "t"))
        case 0x0A: append(UInt8(ascii: "n"))
        case 0x0C: append(UInt8(ascii: "f"))
        case 0x0D: append(UInt8(ascii: "r"))
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): append(byte)
        default:
            literal("u00")
            append((byte >> 4).hexadecimalDigit)
            append((byte & 0xF).hexadecimalDigit)
        }
    }

    /// Writes a number in decimal digits.
    mutating func appendDecimal(_ value: Int64) {
        if value < 0 { append(UInt8(ascii: "-")) }
        var rest = value.magnitude
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
            var start = 20
            repeat {
                let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
                start -= 1
                digits[start] = 0x30 + UInt8(truncatingIfNeeded: digit)
                rest = quotient
            } while rest > 0
            append(UnsafeBufferPointer(rebasing: digits[start..<20]))
        }
    }

    /// Writes a digest as a string of 64 hexadecimal digits.
    mutating func digest(_ value: Digest256) {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 66) { text in
            text[0] = UInt8(ascii: "\"")
            Self.hexadecimal(value.words.0, into: text, at: 1)
            Self.hexadecimal(value.words.1, into: text, at: 17)
            Self.hexadecimal(value.words.2, into: text, at: 33)
            Self.hexadecimal(value.words.3, into: text, at: 49)
            text[65] = UInt8(ascii: "\"")
            append(UnsafeBufferPointer(text))
        }
    }

    /// Writes a session's identity as a string.
    mutating func session(_ value: SessionID) {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 70) { room in
            let digits = UnsafeMutableBufferPointer(rebasing: room[0..<32])
            let text = UnsafeMutableBufferPointer(rebasing: room[32..<70])
            Self.hexadecimal(value.high, into: digits, at: 0)
            Self.hexadecimal(value.low, into: digits, at: 16)
            text[0] = UInt8(ascii: "\"")
            var place = 1
            for index in 0..<32 {
                if index == 8 || index == 12 || index == 16 || index == 20 {
                    text[place] = UInt8(ascii: "-")
                    place += 1
                }
                text[place] = digits[index]
                place += 1
            }
            text[37] = UInt8(ascii: "\"")
            append(UnsafeBufferPointer(text))
        }
    }

    /// Writes an instant as a string, RFC 3339 in UTC with six decimals.
    mutating func instant(_ value: Instant) {
        append(UInt8(ascii: "\""))
        let text = value.utf8
        text.withUnsafeBufferPointer { append($0) }
        append(UInt8(ascii: "\""))
    }

    @inline(__always)
    private static func hexadecimal(
        _ word: UInt64,
        into text: UnsafeMutableBufferPointer<UInt8>,
        at offset: Int
    ) {
        for index in 0..<16 {
            let nibble = UInt8(truncatingIfNeeded: word >> UInt64(60 - index * 4)) & 0xF
            text[offset + index] = nibble.hexadecimalDigit
        }
    }
}
