/// The encoding of HTML forms and query strings.
///
/// - Note: Source: `application/x-www-form-urlencoded` of the WHATWG URL standard.
enum FormText {
    /// The maximum number of fields in a form.
    static let maximumFields = 64

    /// The fields of a form; when a name occurs twice, the first one counts.
    static func fields(_ bytes: some Sequence<UInt8>) -> [String: String] {
        let text = String(decoding: Array(bytes), as: UTF8.self)
        var fields: [String: String] = [:]
        for pair in text.pieces(between: "&").prefix(maximumFields) {
            let parts = pair.pieces(between: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = unescaped(parts[0])
            if fields[name] == nil {
                fields[name] = parts.count > 1 ? unescaped(parts[1]) : ""
            }
        }
        return fields
    }

    /// The text with everything but letters, digits and `-._~` escaped.
    static func escaped(_ text: String) -> String {
        var output = ""
        for byte in text.utf8 {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E:
                output.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                let digits = String(byte, radix: 16, uppercase: true)
                output += digits.count < 2 ? "%0\(digits)" : "%\(digits)"
            }
        }
        return output
    }

    /// Decodes a path segment; unlike in a form, a plus sign stands for itself.
    static func pathStep(_ text: String) -> String {
        unescaped(Substring(text.rewriting("+", as: "%2B")))
    }

    private static func unescaped(_ text: Substring) -> String {
        let bytes = Array(text.utf8)
        var output: [UInt8] = []
        var index = 0
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count,
                let value = UInt8(
                    String(decoding: bytes[(index + 1)...(index + 2)], as: UTF8.self),
                    radix: 16
                )
            {
                output.append(value)
                index += 3
            } else {
                output.append(bytes[index] == UInt8(ascii: "+") ? 0x20 : bytes[index])
                index += 1
            }
        }
        return String(decoding: output, as: UTF8.self)
    }
}
