extension String {
    /// The longest beginning that has no more than so many bytes and ends with a whole code point.
    func prefix(bytes: Int) -> String {
        guard utf8.count > bytes else { return self }
        var end = utf8.index(utf8.startIndex, offsetBy: bytes)
        // Up to three continuation bytes of a code point that does not fit any more.
        while end > utf8.startIndex, utf8[end] & 0xC0 == 0x80 { end = utf8.index(before: end) }
        return String(self[..<end])
    }
}
