extension String {
    /// The longest prefix that has at most this many bytes and ends with a whole code point.
    func prefix(bytes: Int) -> String {
        guard utf8.count > bytes else { return self }
        var end = utf8.index(utf8.startIndex, offsetBy: bytes)
        // Skips up to three continuation bytes of a code point that does not fit.
        while end > utf8.startIndex, utf8[end] & 0xC0 == 0x80 { end = utf8.index(before: end) }
        return String(self[..<end])
    }
}
