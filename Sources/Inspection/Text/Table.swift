/// A table for a terminal, and the same rows in full for programs in a pipe.
package struct Table {
    /// The names of the columns.
    package var columns: [String]
    /// The cells, row by row.
    package var rows: [[String]]
    /// The column that is truncated when the terminal is too narrow; by default the last.
    package var flexible: Int?
    /// Whether that column may be truncated; otherwise rows are stacked on a narrow terminal.
    package var isTruncated = true

    /// The columns of numbers, which are aligned at their ends.
    private static let numbers: Set<String> = ["amount", "payments", "count"]

    /// Creates a table with these columns and rows.
    package init(columns: [String], rows: [[String]] = [], flexible: Int? = nil) {
        self.columns = columns
        self.rows = rows
        self.flexible = flexible
    }

    /// The table as text: aligned and truncated on a terminal, full tab-separated values elsewhere.
    package func text(for form: TextForm) -> StyledText {
        form.isTerminal ? aligned(form) : StyledText(tabSeparated())
    }

    private func tabSeparated() -> String {
        Self.tabSeparated([columns.map { $0.lowercased() }] + rows)
    }

    /// Rows for programs: full values separated by tabs, without tabs inside.
    package static func tabSeparated(_ rows: [[String]]) -> String {
        rows.map { $0.map { inert(Screen.safe($0)) }.joined(separator: "\t") + "\n" }.joined()
    }

    /// A cell that no spreadsheet interprets as a formula: a cell that begins like one gets a
    /// leading apostrophe, which spreadsheets do not show.
    ///
    /// Signed numbers stay unchanged. The program's own texts never begin like a formula; names,
    /// references and problems come from outside.
    ///
    /// - Note: Source: OWASP, CSV injection.
    package static func inert(_ cell: String) -> String {
        guard let first = cell.unicodeScalars.first,
            "=+-@\u{FF1D}\u{FF0B}\u{FF0D}\u{FF20}".unicodeScalars.contains(first)
        else { return cell }
        let isNumber =
            (first == "+" || first == "-") && cell.count > 1
            && cell.unicodeScalars.dropFirst().allSatisfy {
                ("0"..."9").contains($0) || ".,:\u{2022}% ".unicodeScalars.contains($0)
            }
        return isNumber || cell == "-" ? cell : "'" + cell
    }

    /// The minimum width of a truncated column, unless its content is narrower.
    package static let narrowest = 12

    private func aligned(_ form: TextForm) -> StyledText {
        let cells = rows.map { $0.map { Screen.safe($0) } }
        var widths = columns.map(\.count)
        for row in cells {
            for (index, cell) in row.enumerated() {
                widths[index] = max(widths[index], cell.cellCount)
            }
        }
        let flexible = flexible ?? columns.count - 1
        let total = widths.reduce(0, +) + 2 * (columns.count - 1)
        if let width = form.columns, total > width {
            let room = widths[flexible] - (total - width)
            // When a terminal is too narrow for columns, rows are stacked.
            guard isTruncated, room >= min(Self.narrowest, widths[flexible]) else {
                return stacked(cells, form, width: width)
            }
            widths[flexible] = room
        }
        func line(_ row: [String]) -> String {
            let padded = row.enumerated().map { index, cell in
                let cut = form.style.cut(cell, to: widths[index])
                guard Self.numbers.contains(columns[index]) else {
                    return Screen.padded(cut, to: widths[index])
                }
                return String(repeating: " ", count: max(0, widths[index] - cut.cellCount)) + cut
            }
            return String(padded.joined(separator: "  ").reversed().drop { $0 == " " }.reversed())
        }
        let head = form.style.paint(line(columns.map { $0.uppercased() }), .heading)
        return ([head] + cells.map { StyledText(line($0)) }).lines
    }

    /// Each row as a heading followed by its other cells, wrapped to the width.
    private func stacked(_ cells: [[String]], _ form: TextForm, width: Int) -> StyledText {
        cells.map { row in
            let name = columns.first?.uppercased() ?? ""
            let head = form.style.paint(name, .heading) + " " + (row.first ?? "")
            let rest = zip(columns, row).dropFirst().filter { !$0.1.isEmpty }
                .map { $0.isEmpty ? $1 : "\($0) \($1)" }.joined(separator: ", ")
            let lines = rest.isEmpty ? [] : Screen.wrapped(rest, to: max(8, width - 2))
            return ([head] + lines.map { StyledText("  " + $0) }).lines
        }.joined()
    }
}
