/// Checks whether bytes are canonical JSON.
package enum CanonicalCheck {
    /// Whether the bytes are exactly one JSON value as RFC 8785 writes it, with whole numbers only.
    ///
    /// Outside strings the reader accepts ASCII only; each string is checked to be valid UTF-8.
    package static func isCanonical(_ bytes: [UInt8], limits: CanonicalLimits = .standard) -> Bool {
        do {
            try CanonicalReader.read(bytes, limits: limits) { reader throws(EventDecodingError) in
                try reader.skipValue()
                try reader.finish()
            }
            return true
        } catch {
            return false
        }
    }
}
