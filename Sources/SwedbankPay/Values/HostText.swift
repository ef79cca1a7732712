/// What a host may say of a session that it opens: its reference, and notes of its own.
package enum HostText {
    /// The maximum length of a reference, and of a note with its name, in bytes.
    package static let bytes = 1000
    /// The maximum number of notes of a session.
    package static let notes = 50

    /// Whether a text is neither empty nor too long, and has no control characters.
    package static func isText(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count <= bytes
            && !text.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F }
    }
}
