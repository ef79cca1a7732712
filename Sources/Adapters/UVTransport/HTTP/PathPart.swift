internal import EventLog

/// A part of the path of a request that a service receives, between two slashes.
package enum PathPart {
    /// The maximum length as requested, in bytes.
    package static let maximumLength = 256

    /// Returns the text of a part; `nil` for one that is empty, too long, no text, or that a file
    /// system or another server would read in another way.
    package static func decoded(_ part: some Collection<UInt8>) -> String? {
        guard !part.isEmpty, part.count <= maximumLength,
            let text = String(validating: PercentEncoding.decoded(part), as: UTF8.self),
            text != ".", text != "..", text.unicodeScalars.allSatisfy({ $0.value >= 0x20 })
        else { return nil }
        return text
    }
}
