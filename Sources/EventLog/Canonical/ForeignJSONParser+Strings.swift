/// Strings, with their escapes.
extension ForeignJSONParser {
    /// Reads a string that begins at the next byte.
    mutating func string() throws(EventDecodingError) -> String {
        index += 1
        let start = index
        var union: UInt8 = 0
        while index < bytes.count {
            let byte = bytes[index]
            if byte == UInt8(ascii: "\"") {
                let text = text(start..<index, isASCII: union < 0x80)
                index += 1
                guard let text else { throw malformed }
                return text
            }
            union |= byte
            if byte == UInt8(ascii: "\\") { return try escapedString(from: start) }
            guard byte >= 0x20 else { throw malformed }
            index += 1
        }
        throw malformed
    }

    /// The text of a range of bytes; `nil` when they are not UTF-8, which is not checked for ASCII.
    private func text(_ range: Range<Int>, isASCII: Bool) -> String? {
        bytes.withUnsafeBufferPointer { bytes in
            let part = UnsafeBufferPointer(rebasing: bytes[range])
            return isASCII || repairsText
                ? String(decoding: part, as: UTF8.self) : String(validating: part, as: UTF8.self)
        }
    }

    /// Continues to read a string at its first escape.
    private mutating func escapedString(from start: Int) throws(EventDecodingError) -> String {
        var text = Array(bytes[start..<index])
        while index < bytes.count {
            let byte = bytes[index]
            switch byte {
            case UInt8(ascii: "\""):
                index += 1
                if repairsText { return String(decoding: text, as: UTF8.self) }
                guard let text = String(validating: text, as: UTF8.self) else { throw malformed }
                return text
            case UInt8(ascii: "\\"): try escape(into: &text)
            case 0..<0x20: throw malformed
            default:
                text.append(byte)
                index += 1
            }
        }
        throw malformed
    }

    /// Reads the escape that begins at the next byte; a fault is reported there.
    private mutating func escape(into text: inout [UInt8]) throws(EventDecodingError) {
        let fault = malformed
        index += 1
        let byte = next
        index += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(byte)
        case UInt8(ascii: "b"): text.append(0x08)
        case UInt8(ascii: "f"): text.append(0x0C)
        case UInt8(ascii: "n"): text.append(0x0A)
        case UInt8(ascii: "r"): text.append(0x0D)
        case UInt8(ascii: "t"): text.append(0x09)
        case UInt8(ascii: "u"):
            guard var code = codeUnit() else { throw fault }
            // The second half of a character beyond U+FFFF must follow its first.
            if (0xD800..<0xDC00).contains(code), let low = lowSurrogate() {
                code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
            }
            guard let scalar = Unicode.Scalar(code) ?? (repairsText ? "\u{FFFD}" : nil) else {
                throw fault
            }
            text.append(contentsOf: String(scalar).utf8)
        default: throw fault
        }
    }

    /// Reads the escape of the second half of a surrogate pair; returns `nil`, and reads nothing,
    /// when something else follows.
    private mutating func lowSurrogate() -> UInt32? {
        let start = index
        guard next == UInt8(ascii: "\\"), index + 1 < bytes.count,
            bytes[index + 1] == UInt8(ascii: "u")
        else { return nil }
        index += 2
        guard let low = codeUnit(), (0xDC00..<0xE000).contains(low) else {
            index = start
            return nil
        }
        return low
    }

    /// Reads four hexadecimal digits; returns `nil` when there are none.
    private mutating func codeUnit() -> UInt32? {
        guard index + 4 <= bytes.count else { return nil }
        var code: UInt32 = 0
        for byte in bytes[index..<index + 4] {
            guard let digit = byte.hexadecimalValue else { return nil }
            code = code << 4 | UInt32(digit)
        }
        index += 4
        return code
    }
}
