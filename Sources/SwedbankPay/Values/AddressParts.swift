internal import EventLog

/// An absolute address, parsed strictly according to RFC 3986.
///
/// Anything that the grammar does not allow is not an address: a text that two readers could
/// interpret differently must not decide where a payer or a request goes.
package struct AddressParts: Hashable, Sendable {
    /// The scheme, in lower case.
    package var scheme: String
    /// The part before `@`; `nil` when there is no `@`.
    package var userinfo: String?
    /// The host in lower case, with the brackets of an IP literal; `nil` without an authority.
    package var host: String?
    /// The port's digits; `nil` without a colon, empty when the port is empty.
    package var port: String?
    /// The path as written.
    package var path: String
    /// The query as written; `nil` when there is no question mark.
    package var query: String?
    /// The fragment as written; `nil` when there is no `#`.
    package var fragment: String?

    /// The maximum length of an address, in bytes.
    package static let maximumLength = 8192

    /// Parses an address.
    ///
    /// Returns `nil` when the text is not an absolute address.
    package init?(_ text: some StringProtocol) {
        let bytes = Array(text.utf8)
        guard bytes.count <= Self.maximumLength,
            let colon = bytes.firstIndex(of: UInt8(ascii: ":"))
        else { return nil }
        let name = bytes[..<colon]
        guard let first = name.first, first.isASCIILetter,
            name.allSatisfy({ $0.isASCIILetter || $0.isASCIIDigit || Self.isSchemeMark($0) })
        else { return nil }
        scheme = String(decoding: name, as: UTF8.self).lowercased()

        var rest = bytes[(colon + 1)...]
        fragment = nil
        if let hash = rest.firstIndex(of: UInt8(ascii: "#")) {
            guard let part = Self.checked(rest[(hash + 1)...], allowing: "/?") else { return nil }
            fragment = part
            rest = rest[..<hash]
        }
        query = nil
        if let mark = rest.firstIndex(of: UInt8(ascii: "?")) {
            guard let part = Self.checked(rest[(mark + 1)...], allowing: "/?") else { return nil }
            query = part
            rest = rest[..<mark]
        }
        userinfo = nil
        host = nil
        port = nil
        path = ""
        if rest.starts(with: Array("//".utf8)) {
            rest = rest.dropFirst(2)
            let end = rest.firstIndex(of: UInt8(ascii: "/")) ?? rest.endIndex
            guard readAuthority(rest[..<end]) else { return nil }
            rest = rest[end...]
        }
        guard let part = Self.checked(rest, allowing: "/") else { return nil }
        path = part
    }

    private mutating func readAuthority(_ authority: ArraySlice<UInt8>) -> Bool {
        var rest = authority
        if let at = rest.lastIndex(of: UInt8(ascii: "@")) {
            guard let part = Self.checked(rest[..<at], allowing: ""),
                !part.utf8.contains(UInt8(ascii: "@"))
            else {
                return false
            }
            userinfo = part
            rest = rest[(at + 1)...]
        }
        let hostEnd: Int
        if rest.first == UInt8(ascii: "[") {
            guard let bracket = rest.firstIndex(of: UInt8(ascii: "]")),
                bracket > rest.startIndex + 1,
                rest[(rest.startIndex + 1)..<bracket].allSatisfy({
                    $0.hexadecimalValue != nil || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ".")
                })
            else { return false }
            hostEnd = bracket + 1
        } else {
            hostEnd = rest.firstIndex(of: UInt8(ascii: ":")) ?? rest.endIndex
            guard let part = Self.checked(rest[..<hostEnd], allowing: ""),
                !part.utf8.contains(UInt8(ascii: ":")), !part.utf8.contains(UInt8(ascii: "@"))
            else { return false }
        }
        host = String(decoding: rest[..<hostEnd], as: UTF8.self).lowercased()
        rest = rest[hostEnd...]
        guard let separator = rest.first else { return true }
        let digits = rest.dropFirst()
        guard separator == UInt8(ascii: ":"), digits.allSatisfy(\.isASCIIDigit), digits.count <= 5
        else { return false }
        let number = String(decoding: digits, as: UTF8.self)
        guard digits.isEmpty || (Int(number) ?? 65_536) <= 65_535 else { return false }
        port = number
        return true
    }

    private static func isSchemeMark(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
    }

    /// The text of a part in which every byte is a `pchar` of RFC 3986 or one of a few others;
    /// `nil` otherwise.
    private static func checked(_ part: ArraySlice<UInt8>, allowing others: String) -> String? {
        var index = part.startIndex
        while index < part.endIndex {
            let byte = part[index]
            if byte == UInt8(ascii: "%") {
                guard index + 2 < part.endIndex, part[index + 1].hexadecimalValue != nil,
                    part[index + 2].hexadecimalValue != nil
                else { return nil }
                index += 3
                continue
            }
            guard
                byte.isUnreserved || "!$&'()*+,;=:@".utf8.contains(byte)
                    || others.utf8.contains(byte)
            else { return nil }
            index += 1
        }
        return String(decoding: part, as: UTF8.self)
    }
}
