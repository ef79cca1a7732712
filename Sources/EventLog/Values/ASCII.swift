extension UInt8 {
    /// The byte, in lower case if it is an ASCII letter.
    package var lowercasedASCII: UInt8 { (0x41...0x5A).contains(self) ? self | 0x20 : self }

    /// Whether the byte is `A`–`Z` or `a`–`z`.
    package var isASCIILetter: Bool { (0x41...0x5A).contains(self) || (0x61...0x7A).contains(self) }

    /// Whether the byte is `0`–`9`.
    package var isASCIIDigit: Bool { (0x30...0x39).contains(self) }

    /// Whether the byte is unreserved in RFC 3986: it means the same with and without percent
    /// encoding.
    package var isUnreserved: Bool {
        isASCIILetter || isASCIIDigit || "-._~".utf8.contains(self)
    }

    /// The value of an ASCII hexadecimal digit.
    package var hexadecimalValue: UInt8? {
        switch self {
        case 0x30...0x39: self - 0x30
        case 0x61...0x66: self - 0x61 + 10
        case 0x41...0x46: self - 0x41 + 10
        default: nil
        }
    }

    /// The lower-case hexadecimal digit of a value below 16.
    @inlinable package var hexadecimalDigit: UInt8 {
        self < 10 ? 0x30 + self : 0x61 + self - 10
    }
}
