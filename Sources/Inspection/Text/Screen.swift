/// How text fits on a screen, and which of it a screen would obey instead of showing it.
package enum Screen {
    /// Whether a terminal would do something else than show this: move, change its title or colours, write from right to
    /// left, or show nothing where something stands.
    ///
    /// These are Unicode's controls (C0, C1, DEL), formats (bidirectional controls, zero width, byte order mark, tags) and
    /// separators of lines and paragraphs.
    package static func steers(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return scalar.value < 0x20 || scalar.value == 0x7F }
        return switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }

    /// The text with characters that steer a terminal shown as pictures of themselves; lines and tabulators stay.
    ///
    /// `workflowctl` does this with all that it writes, so nothing else of it needs to.
    package static func visible(_ text: String) -> String {
        replacing(text) { $0 != "\n" && $0 != "\t" && steers($0) }
    }

    /// The text as a part of one line: as ``visible(_:)``, without ends of lines and tabulators.
    ///
    /// For names and cells, so that none can look like a line or a column of its own.
    package static func safe(_ text: some StringProtocol) -> String {
        replacing(String(text), steers)
    }

    private static func replacing(
        _ text: String,
        _ isReplaced: (Unicode.Scalar) -> Bool
    ) -> String {
        guard text.unicodeScalars.contains(where: isReplaced) else { return text }
        var result = ""
        for scalar in text.unicodeScalars {
            result.unicodeScalars.append(isReplaced(scalar) ? "\u{FFFD}" : scalar)
        }
        return result
    }

    /// JSON text with characters that steer a terminal as `\uXXXX`: another spelling of the same value.
    ///
    /// Outside of strings JSON has none of them but line ends and tabulators, which stay.
    package static func escaped(json text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            guard scalar != "\n", scalar != "\t", steers(scalar) else {
                result.unicodeScalars.append(scalar)
                continue
            }
            for unit in UTF16.encode(scalar) ?? .init() {
                let digits = String(unit, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            }
        }
        return result
    }

    /// The text padded with blanks to so many cells.
    package static func padded(_ text: String, to width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.cellCount))
    }

    /// The text cut to so many cells.
    package static func cut(_ text: String, to width: Int) -> String {
        text.cellCount <= width ? text : text.prefix(cells: max(0, width - 1)) + "…"
    }

    /// The text in lines of at most so many cells; words that are longer are divided.
    package static func wrapped(_ text: String, to columns: Int) -> [String] {
        var lines: [String] = []
        var line = ""
        for word in text.split(separator: " ") {
            var rest = String(word)
            if !line.isEmpty, line.cellCount + 1 + rest.cellCount <= columns {
                line += " " + rest
                continue
            }
            if !line.isEmpty { lines.append(line) }
            while rest.cellCount > columns, rest.count > 1 {
                // A wide character that does not fit into a single cell stands there all the same.
                let piece = rest.prefix(max(1, rest.prefix(cells: columns).count))
                lines.append(String(piece))
                rest = String(rest.dropFirst(piece.count))
            }
            line = rest
        }
        return lines + [line]
    }
}
