import Testing

@testable import Inspection

/// The width of text on a terminal.
@Suite struct CellWidthTests {
    @Test(arguments: [
        ("order", 5), ("注文", 4), ("ｶﾀ", 2), ("ＡＢ", 4), ("주문", 4), ("🎁-1", 4), ("☎", 1), ("☎️", 2),
        ("👨‍👩‍👧", 2), ("é", 1), ("e\u{301}", 1), ("€ 5", 3), ("…", 1), ("", 0),
    ])
    func `wide characters and emoji count as two cells`(text: String, cells: Int) {
        #expect(text.cellCount == cells)
    }

    @Test func `text is padded, cut and wrapped by cell width`() {
        #expect(Screen.padded("注文", to: 6) == "注文  ")
        #expect(Screen.cut("注文-10451", to: 6) == "注文-…")
        // Half of a wide character does not fit.
        #expect(Screen.cut("注文書-1", to: 4) == "注…")
        #expect(Style.plain.cutInside("注文-order-10451-終", to: 10) == "注文-…1-終")
        #expect(Screen.wrapped("注文書を送る 予定", to: 6) == ["注文書", "を送る", "予定"])
        #expect(Screen.wrapped("注文", to: 1) == ["注", "文"])
    }

    @Test func `table columns align when values contain wide characters`() {
        let table = Table(
            columns: ["reference", "state"],
            rows: [["注文-1", "paid"], ["🎁-22", "paid"], ["order-333", "paid"]]
        )
        let form = TextForm(isTerminal: true, columns: 40, style: .plain)
        let lines = table.text(for: form).words.split(separator: "\n").dropFirst()
        let places = lines.map { line in
            line.firstRange(of: "paid").map { line[..<$0.lowerBound].cellCount }
        }
        #expect(places == [11, 11, 11])
    }
}
