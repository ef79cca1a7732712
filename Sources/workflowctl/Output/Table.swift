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

    /// The narrowest that a column is cut to, unless all of it is narrower.
    static let narrowest = 12

    private func aligned(_ sink: Sink) -> String {
        let cells = rows.map { $0.map { Screen.safe($0) } }
        var widths = columns.map(\.count)
        for row in cells {
            for (index, cell) in row.enumerated() { widths[index] = max(widths[index], cell.count) }
        }
        let flexible = flexible ?? columns.count - 1
        let total = widths.reduce(0, +) + 2 * (columns.count - 1)
        if let width = sink.columns, total > width {
            let room = widths[flexible] - (total - width)
            // What a terminal would break anywhere is better told row by row.
            guard room >= min(Self.narrowest, widths[flexible]) else {
                return stacked(cells, sink, width: width)
            }
            widths[flexible] = room
        }
        func line(_ row: [String]) -> String {
            let padded = row.enumerated().map { index, cell in
                Screen.padded(sink.style.cut(cell, to: widths[index]), to: widths[index])
            }
            return String(padded.joined(separator: "  ").reversed().drop { $0 == " " }.reversed())
        }
        let head = sink.style.paint(line(columns.map { $0.uppercased() }), .heading)
        return ([head] + cells.map(line)).joined(separator: "\n") + "\n"
    }

    /// Each row as a heading and what else it says, in lines that fit.
    private func stacked(_ cells: [[String]], _ sink: Sink, width: Int) -> String {
        cells.map { row in
            let name = columns.first?.uppercased() ?? ""
            let head = sink.style.paint(name, .heading) + " " + (row.first ?? "")
            let rest = zip(columns, row).dropFirst().filter { !$0.1.isEmpty }
                .map { $0.isEmpty ? $1 : "\($0) \($1)" }.joined(separator: ", ")
            let lines = rest.isEmpty ? [] : Screen.wrapped(rest, to: max(8, width - 2))
            return ([head] + lines.map { "  " + $0 }).joined(separator: "\n") + "\n"
        }.joined()
    }
}
