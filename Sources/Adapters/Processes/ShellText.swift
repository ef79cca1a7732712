internal import EventLog

/// Quotes text for commands to paste.
package enum ShellText {
    /// Returns a text as one word of a shell, quoted if need be.
    package static func word(_ text: String) -> String {
        let isPlain =
            !text.isEmpty
            && text.utf8.allSatisfy {
                switch $0 {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
                default: "/._-:+,@%".utf8.contains($0)
                }
            }
        return isPlain ? text : "'" + text.rewriting("'", as: "'\\''") + "'"
    }
}
