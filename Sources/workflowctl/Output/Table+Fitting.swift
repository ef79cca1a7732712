internal import Inspection

/// Tables whose full rows are wider than a terminal.
///
/// Elsewhere than on a terminal, the tables stay as they are.
extension Table {
    /// Returns the table with long cells of a column continued in rows below them, so that each row
    /// fits the terminal.
    ///
    /// Where the terminal has hardly any room beside the other columns, the table stays as it is.
    func wrapping(column: Int, for form: TextForm) -> Table {
        guard form.isTerminal, let columns = form.columns else { return self }
        let widths = widths
        let others = widths.indices.filter { $0 != column }.map { widths[$0] + Self.gap }
        let room = columns - others.reduce(0, +)
        guard room >= Self.narrowest else { return self }
        var table = self
        table.rows = rows.flatMap { row -> [[String]] in
            let lines = Screen.wrapped(Screen.safe(row[column]), to: room)
            return lines.indices.map { number -> [String] in
                var part = number == 0 ? row : row.map { _ in "" }
                part[column] = lines[number]
                return part
            }
        }
        return table
    }

    /// Returns the table without as many of its last columns as do not fit the terminal.
    ///
    /// The columns have to be in the order of their importance.
    ///
    /// - Parameters:
    ///   - form: The form of the output.
    ///   - kept: The number of columns that are never left out.
    ///   - least: The width that suffices for the last column, which is then truncated.
    /// - Returns: The table.
    func droppingColumns(for form: TextForm, keeping kept: Int, least: Int) -> Table {
        guard form.isTerminal, let columns = form.columns else { return self }
        let widths = widths
        var count = self.columns.count
        while count > kept {
            let needed =
                widths.prefix(count - 1).reduce(0) { $0 + $1 + Self.gap }
                + min(widths[count - 1], least)
            if needed <= columns { break }
            count -= 1
        }
        guard count < self.columns.count else { return self }
        return Table(
            columns: Array(self.columns.prefix(count)),
            rows: rows.map { Array($0.prefix(count)) },
            flexible: 0
        )
    }

    /// The number of blanks between two columns.
    private static let gap = 2

    /// The width of each column, with its name.
    private var widths: [Int] {
        var widths = columns.map(\.count)
        for row in rows {
            for (index, cell) in row.enumerated() {
                widths[index] = max(widths[index], Screen.safe(cell).cellCount)
            }
        }
        return widths
    }
}
