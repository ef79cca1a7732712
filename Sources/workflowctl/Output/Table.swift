/// Rows for people on a terminal, and the same rows, whole, for programs in a pipe.
struct Table {
    /// The names of the columns.
    var columns: [String]
    /// The cells, row by row.
    var rows: [[String]] = []
    /// Which column is cut when the terminal is too narrow; by default the last.
    var flexible: Int?

    /// The text: aligned and cut on a terminal, full tab-separated values elsewhere.
    func text(for sink: Sink) -> String {
        sink.isTerminal ? aligned(sink) : tabSeparated()
    }

    private func tabSeparated() -> String {
        ([columns.map { $0.lowercased() }] + rows)
            .map { $0.map(Screen.safe).joined(separator: "\t") + "\n" }.joined()
    }

    private func aligned(_ sink: Sink) -> String {
        let cells = rows.map { $0.map { Screen.safe($0) } }
        var widths = columns.map(\.count)
        for row in cells {
            for (index, cell) in row.enumerated() { widths[index] = max(widths[index], cell.count) }
        }
        let flexible = flexible ?? columns.count - 1
        let total = widths.reduce(0, +) + 2 * (columns.count - 1)
        if let width = sink.columns, total > width {
            widths[flexible] = max(8, widths[flexible] - (total - width))
        }
        func line(_ row: [String]) -> String {
            let padded = row.enumerated().map { index, cell in
                Screen.padded(Screen.cut(cell, to: widths[index]), to: widths[index])
            }
            return String(padded.joined(separator: "  ").reversed().drop { $0 == " " }.reversed())
        }
        let head = sink.style.paint(line(columns.map { $0.uppercased() }), .heading)
        return ([head] + cells.map(line)).joined(separator: "\n") + "\n"
    }
}
