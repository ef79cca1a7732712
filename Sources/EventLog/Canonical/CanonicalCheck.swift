/// Tells whether bytes are canonical JSON.
package enum CanonicalCheck {
    /// Whether the bytes are one JSON value exactly as RFC 8785 writes it, with whole numbers only.
    ///
    /// Outside strings the reader takes ASCII only, and each string is checked to be UTF-8.
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
