/// Texts that a session stores for its host.
enum Notes {
    /// The maximum length of a reference and of a note, in bytes.
    static let textLimit = 1000
    /// The maximum number of notes of a session.
    static let countLimit = 50

    /// Parses notes of the form `KEY=VALUE`.
    static func read(_ texts: [String]) throws(Failure) -> [String: String] {
        var notes: [String: String] = [:]
        for text in texts {
            guard let sign = text.firstIndex(of: "="), sign != text.startIndex else {
                throw .usage("metadata", "a note is written KEY=VALUE")
            }
            let name = String(text[..<sign])
            try check(text, "metadata")
            guard notes.updateValue(String(text[text.index(after: sign)...]), forKey: name) == nil
            else { throw .usage("metadata", "a note is given twice") }
        }
        guard notes.count <= countLimit else {
            throw .usage("metadata", "a session takes at most \(countLimit) notes")
        }
        return notes
    }

    /// Refuses a text that is empty, too long or contains control characters.
    static func check(_ text: String, _ name: String) throws(Failure) {
        guard !text.isEmpty, text.utf8.count <= textLimit,
            !text.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F })
        else {
            throw .usage(name, "--\(name) takes 1 to \(textLimit) bytes without control characters")
        }
    }
}
