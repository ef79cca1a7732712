/// Percent encoding of RFC 3986.
package enum PercentEncoding {
    /// The bytes with every percent triplet decoded.
    package static func decoded(_ text: some Collection<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        var rest = Array(text)[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), rest.count >= 2,
                let high = rest[rest.startIndex].hexadecimalValue,
                let low = rest[rest.startIndex + 1].hexadecimalValue
            {
                rest = rest.dropFirst(2)
                result.append(high << 4 | low)
            } else {
                result.append(byte)
            }
        }
        return result
    }

    /// The text with all characters except unreserved ones encoded, once: a space becomes `%20`.
    package static func encoded(_ text: String) -> String {
        var result: [UInt8] = []
        for byte in text.utf8 {
            if byte.isUnreserved { result.append(byte) } else { append(byte, to: &result) }
        }
        return String(decoding: result, as: UTF8.self)
    }

    package static func append(_ byte: UInt8, to result: inout [UInt8]) {
        result.append(UInt8(ascii: "%"))
        for nibble in [byte >> 4, byte & 0xF] {
            result.append(nibble < 10 ? 0x30 + nibble : 0x41 + nibble - 10)
        }
    }
}
