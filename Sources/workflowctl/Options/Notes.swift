internal import SwedbankPay

/// The host's notes of a session.
enum Notes {
    /// Parses notes in the form `KEY=VALUE`.
    static func read(_ texts: [String]) throws(Failure) -> [String: String] {
        var notes: [String: String] = [:]
        for text in texts {
            guard let sign = text.unicodeScalars.firstIndex(of: "="), sign != text.startIndex else {
                throw .usage("metadata", "metadata must be written as KEY=VALUE")
            }
            let name = String(text[..<sign])
            try check(text, "metadata")
            guard
                notes.updateValue(String(text.unicodeScalars[sign...].dropFirst()), forKey: name)
                    == nil
            else { throw .usage("metadata", "the same metadata key was given twice") }
        }
        guard notes.count <= HostText.notes else {
            throw .usage("metadata", "a session accepts at most \(HostText.notes) metadata entries")
        }
        return notes
    }

    /// Refuses a text that is empty, too long or contains control characters.
    static func check(_ text: String, _ name: String) throws(Failure) {
        guard HostText.isText(text) else {
            throw .usage(
                name,
                "--\(name) must have 1 to \(HostText.bytes) bytes and no control characters"
            )
        }
    }
}
