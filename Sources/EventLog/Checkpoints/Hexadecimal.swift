/// Converts bytes to and from lower-case hexadecimal digits.
package enum Hexadecimal {
    /// The hexadecimal digits of bytes.
    package static func text(_ bytes: some Sequence<UInt8>) -> String {
        var digits: [UInt8] = []
        for byte in bytes {
            digits.append((byte >> 4).hexadecimalDigit)
            digits.append((byte & 0xF).hexadecimalDigit)
        }
        return String(decoding: digits, as: UTF8.self)
    }

    /// Reads what ``text(_:)`` writes.
    ///
    /// - Returns: The bytes, or `nil` for other text, including upper-case digits.
    package static func bytes(_ text: String) -> [UInt8]? {
        var bytes: [UInt8] = []
        var high: UInt8?
        for digit in text.utf8 {
            guard let nibble = digit.hexadecimalValue, nibble.hexadecimalDigit == digit else {
                return nil
            }
            if let first = high {
                bytes.append(first << 4 | nibble)
                high = nil
            } else {
                high = nibble
            }
        }
        return high == nil ? bytes : nil
    }
}
