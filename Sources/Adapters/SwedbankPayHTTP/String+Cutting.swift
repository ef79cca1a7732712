extension String {
    /// Decodes the beginning of a body, repaired where it is not UTF-8, to at most so many bytes.
    ///
    /// Only as many bytes are read as are kept, since the repair of each broken byte takes time.
    ///
    /// - Parameters:
    ///   - body: The body, of any length.
    ///   - bytes: The maximum length of the result in bytes.
    init(decoding body: [UInt8], upTo bytes: Int) {
        // The longest code point has four bytes, and a repaired one is never shorter than it was:
        // so the last code point that is kept is read whole.
        self = String(decoding: body.prefix(bytes + 3), as: UTF8.self).prefix(bytes: bytes)
    }

    /// The longest prefix that has at most this many bytes and ends with a whole code point.
    func prefix(bytes: Int) -> String {
        guard utf8.count > bytes else { return self }
        var end = utf8.index(utf8.startIndex, offsetBy: bytes)
        // Skips up to three continuation bytes of a code point that does not fit.
        while end > utf8.startIndex, utf8[end] & 0xC0 == 0x80 { end = utf8.index(before: end) }
        return String(self[..<end])
    }
}
