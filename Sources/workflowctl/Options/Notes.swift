/// The host's notes of a session.
enum Notes {
    /// The maximum length of a reference and of a note, in bytes.
    static let textLimit = 1000
    /// The maximum number of notes of a session.
    static let countLimit = 50

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
        guard notes.count <= countLimit else {
            throw .usage("metadata", "a session accepts at most \(countLimit) metadata entries")
        }
        return notes
    }

    /// Refuses a text that is empty, too long or contains control characters.
    static func check(_ text: String, _ name: String) throws(Failure) {
        guard !text.isEmpty, text.utf8.count <= textLimit,
            !text.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F })
        else {
            throw .usage(
                name,
                "--\(name) must have 1 to \(textLimit) bytes and no control characters"
            )
        }
    }
}
