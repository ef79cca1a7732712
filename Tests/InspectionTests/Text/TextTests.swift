import EventLog
import Inspection
import SwedbankPay
import Testing

/// Text for people and for programs.
@Suite struct TextTests {
    /// Returns a terminal of some width; without a width, a pipe.
    private static func form(columns: Int?, style: Style) -> TextForm {
        TextForm(isTerminal: columns != nil, columns: columns, style: style)
    }

    @Test func `a narrow terminal cuts the last column; a pipe gets all of it`() {
        let table = Table(
            columns: ["seq", "what"],
            rows: [["1", String(repeating: "x", count: 40)]]
        )
        let narrow = table.text(for: Self.form(columns: 20, style: .plain)).words
        #expect(narrow == "SEQ  WHAT\n1    \(String(repeating: "x", count: 14))…\n")
        let ascii = Style(isColored: false, isUnicode: false)
        let plain = table.text(for: Self.form(columns: 20, style: ascii)).words
        #expect(plain == "SEQ  WHAT\n1    \(String(repeating: "x", count: 13))..\n")
        let pipe = table.text(for: Self.form(columns: nil, style: .plain)).words
        #expect(pipe == "seq\twhat\n1\t\(String(repeating: "x", count: 40))\n")
    }

    @Test func `a table that is too wide for the terminal is shown as several lines per row`() {
        let table = Table(
            columns: ["session", "opened", "outcome", ""],
            rows: [["01a2-0001", "2026-12-02", "", "note"], ["01a2-0002", "", "", ""]]
        )
        let text = table.text(for: Self.form(columns: 24, style: .plain)).words
        #expect(
            text == "SESSION 01a2-0001\n  opened 2026-12-02,\n  note\nSESSION 01a2-0002\n"
        )
        let wide = table.text(for: Self.form(columns: 60, style: .plain)).words
        #expect(wide.hasPrefix("SESSION    OPENED      OUTCOME\n"))
    }

    @Test func `amounts are aligned at their ends`() {
        let table = Table(
            columns: ["amount", "reference"],
            rows: [["5.00 SEK", "a"], ["1299.50 SEK", "b"]]
        )
        let text = table.text(for: Self.form(columns: 60, style: .plain)).words
        #expect(text == "     AMOUNT  REFERENCE\n   5.00 SEK  a\n1299.50 SEK  b\n")
    }

    @Test(arguments: [
        ("=cmd|'/c calc'!A1", "'=cmd|'/c calc'!A1"), ("@SUM(A1)", "'@SUM(A1)"),
        ("+SUM(A1)", "'+SUM(A1)"), ("-2+3+cmd", "'-2+3+cmd"), ("\u{FF1D}1", "'\u{FF1D}1"),
        ("-12.50", "-12.50"), ("+46\u{2022}\u{2022}0001", "+46\u{2022}\u{2022}0001"), ("-", "-"),
        ("order=1", "order=1"), ("", ""), ("--", "'--"),
    ])
    func `a cell that a spreadsheet would run as a formula is quoted, except on a terminal`(
        cell: String,
        written: String
    ) {
        let table = Table(columns: ["a", "b"], rows: [[cell, "x"]])
        let pipe = table.text(for: Self.form(columns: nil, style: .plain)).words
        #expect(pipe == "a\tb\n\(written)\tx\n")
        let terminal = table.text(for: Self.form(columns: 80, style: .plain)).words
        #expect(!cell.hasPrefix("=") || terminal.contains("\n=cmd"))
    }

    @Test func `control characters in external text reach no terminal and break no table row`() {
        let text = "a\u{1B}[2Jb\u{7}\u{9B}31m\tc\u{202E}d"
        #expect(
            Screen.safe(text).unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x9B }
        )
        let table = Table(columns: ["a", "b"], rows: [["x\ty\nz", "w"]])
        let rows = table.text(for: Self.form(columns: nil, style: .plain)).words
        #expect(rows.split(separator: "\n").count == 2)
        #expect(rows.split(separator: "\n")[1].split(separator: "\t").count == 2)
    }

    @Test func `JSON keeps the order of members and escapes what must be escaped`() throws {
        let value = JSONValue.object([
            .init("b", .string("\"\\\n\u{1}é\u{1F600}")), .init("a", .array([.null, .bool(true)])),
            .init("c", .object([])), .init("d", .integer(-7)),
        ])
        let text = JSONDocument.text(value)
        #expect(
            text == #"{"b":"\"\\\n\u0001é😀","a":[null,true],"c":{},"d":-7}"#
        )
        for form in [text, JSONDocument.text(value, indented: true)] {
            let parsed = try JSONValue(parsing: Array(form.utf8))
            #expect(try parsed.canonical() == value.canonical())
        }
    }
}
