/// The order of an object's members in canonical JSON: by the UTF-16 code units of their names.
///
/// - Note: Source: RFC 8785, sorting of object properties.
package enum CanonicalOrder {
    /// Whether one name sorts before another.
    package static func precedes(
        _ left: some Collection<UInt8>,
        _ right: some Collection<UInt8>
    ) -> Bool {
        var others = right.makeIterator()
        for byte in left {
            guard let other = others.next() else { return false }
            guard byte == other else { return rank(byte) < rank(other) }
        }
        return others.next() != nil
    }

    /// Whether one name sorts before another.
    package static func precedes(_ left: String, _ right: String) -> Bool {
        precedes(left.utf8, right.utf8)
    }

    /// Ranks a byte so that the first differing UTF-8 byte gives the order of UTF-16.
    ///
    /// The two orders differ only between characters beyond U+FFFF, whose surrogates start at
    /// U+D800, and the characters U+E000 to U+FFFF: lead bytes from F0 on sort before EE and EF.
    private static func rank(_ byte: UInt8) -> UInt8 {
        byte == 0xEE || byte == 0xEF ? byte + 0x10 : byte
    }
}
