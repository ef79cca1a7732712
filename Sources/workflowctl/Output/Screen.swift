/// Makes text from outside safe for a terminal: control characters could move its cursor or change its title.
enum Screen {
    /// The text with control characters shown as pictures of themselves.
    static func safe(_ text: some StringProtocol) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            let isControl =
                scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
                || (0x202A...0x202E).contains(scalar.value)
                || (0x2066...0x2069).contains(scalar.value)
            result.unicodeScalars.append(isControl ? "\u{FFFD}" : scalar)
        }
        return result
    }

    /// The text padded with blanks to so many characters.
    static func padded(_ text: String, to width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }

    /// The text cut to so many characters.
    static func cut(_ text: String, to width: Int) -> String {
        text.count <= width ? text : text.prefix(max(0, width - 1)) + "…"
    }

    /// The text in lines of at most so many characters; words that are longer are divided.
    static func wrapped(_ text: String, to columns: Int) -> [String] {
        var lines: [String] = []
        var line = ""
        for word in text.split(separator: " ") {
            var rest = String(word)
            if !line.isEmpty, line.count + 1 + rest.count <= columns {
                line += " " + rest
                continue
            }
            if !line.isEmpty { lines.append(line) }
            while rest.count > columns {
                lines.append(String(rest.prefix(columns)))
                rest = String(rest.dropFirst(columns))
            }
            line = rest
        }
        return lines + [line]
    }
}
