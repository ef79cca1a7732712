internal import EventLog

/// What the codes of errors mean, as the documentation explains them.
enum ErrorPage {
    /// The texts, by code.
    static let all: [String: String] = {
        let groups = try? ForeignJSON(
            parsing: Array(EmbeddedErrors.document.utf8),
            maximumDepth: 8,
            repairsText: false
        )
        let errors = groups?.array?.flatMap { $0.object?["errors"]?.array ?? [] } ?? []
        let pages = errors.compactMap { error -> (String, String)? in
            guard let members = error.object, let code = members["code"]?.string else { return nil }
            let parts = [("Meaning", "meaning"), ("Cause", "cause"), ("Remedy", "remedy")]
            let texts = parts.compactMap { part in
                members[part.1]?.string.map { text in
                    // Other pages are not served.
                    "\(part.0): \(text.replacing(/\[([^\]]+)\]\([^)]+\)/, with: { $0.1 }))"
                }
            }
            return (code, ([code] + texts).joined(separator: "\n\n") + "\n")
        }
        return Dictionary(pages) { first, _ in first }
    }()
}
