internal import EventLog

/// Fits text to a screen, and replaces characters that a terminal would interpret instead of
/// showing.
package enum Screen {
    /// The text with interpreted characters replaced by visible ones; line ends and tabs stay.
    ///
    /// `workflowctl` applies this to everything that it writes, so its other parts need not.
    package static func visible(_ text: String) -> String {
        replacing(text) { $0 != "\n" && $0 != "\t" && $0.steersScreens }
    }

    /// The text as part of one line: like ``visible(_:)``, but line ends and tabs are replaced as
    /// well.
    ///
    /// For names and cells, so that none can look like a line or a column of its own.
    package static func safe(_ text: some StringProtocol) -> String {
        replacing(String(text), \.steersScreens)
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

    /// JSON text with interpreted characters as `\uXXXX`: another spelling of the same value.
    ///
    /// Outside of strings, JSON has none of them except line ends and tabs, which stay.
    package static func escaped(json text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            guard scalar != "\n", scalar != "\t", scalar.steersScreens else {
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

    /// The text padded with blanks to a number of cells.
    package static func padded(_ text: String, to width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.cellCount))
    }

    /// The text truncated to a number of cells.
    package static func cut(_ text: String, to width: Int) -> String {
        text.cellCount <= width ? text : text.prefix(cells: max(0, width - 1)) + "…"
    }

    /// The text wrapped to a maximum number of cells; longer words are divided.
    package static func wrapped(_ text: String, to columns: Int) -> [String] {
        var lines: [String] = []
        var line = ""
        for word in text.pieces(between: " ") {
            var rest = String(word)
            if !line.isEmpty, line.cellCount + 1 + rest.cellCount <= columns {
                line += " " + rest
                continue
            }
            if !line.isEmpty { lines.append(line) }
            while rest.cellCount > columns, rest.count > 1 {
                // A wide character that does not fit into a single cell is kept nevertheless.
                let piece = rest.prefix(max(1, rest.prefix(cells: columns).count))
                lines.append(String(piece))
                rest = String(rest.dropFirst(piece.count))
            }
            line = rest
        }
        return lines + [line]
    }
}
