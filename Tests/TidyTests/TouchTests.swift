import Foundation
import Testing

/// How many files a new thing touches, counted by those that name an existing one.
@Suite struct TouchTests {
    /// A kind of thing, by the row of the page that says how many files name it.
    struct Thing: Sendable, CustomTestStringConvertible {
        var row: String
        var names: [String]
        var leavesOut: [String] = []
        var testDescription: String { row }
    }

    static let things = [
        Thing(row: "an event", names: ["walletCanceled"]),
        Thing(
            row: "a native instrument",
            names: ["googlePay", "GooglePay", "google-pay", "GooglePayRequest"]
        ),
        Thing(
            row: "a store, outside its folder",
            names: ["PostgreSQLEventStore"],
            leavesOut: ["Sources/Adapters/Stores/PostgreSQL/"]
        ),
        Thing(row: "a command", names: ["NoteCommand", "workflowctl note --json"]),
    ]

    /// The counted files: the sandbox shares no code, and a script writes the embedded schemas and
    /// the list of events in a record's schema.
    private static let files =
        (Repository.files(below: "Sources") + Repository.files(below: "Schemas"))
        .filter {
            !$0.path.hasPrefix("Sources/Sandbox/") && !$0.name.hasPrefix("Embedded")
                && $0.path != "Schemas/record.schema.json"
        }

    private static func touched(by thing: Thing) -> [String] {
        files.filter { file in
            !thing.leavesOut.contains { file.path.hasPrefix($0) }
                && thing.names.contains { names(file.text, $0) }
        }
        .map(\.path)
    }

    /// Returns whether a text contains a name as a separate word.
    private static func names(_ text: String, _ name: String) -> Bool {
        text.ranges(of: name).contains { range in
            let isWord = { (character: Character?) in
                character.map { $0.isLetter || $0.isNumber } ?? false
            }
            let before =
                range.lowerBound > text.startIndex
                ? text[text.index(before: range.lowerBound)] : nil
            let after = range.upperBound < text.endIndex ? text[range.upperBound] : nil
            return !isWord(before) && !isWord(after)
        }
    }

    @Test(arguments: things)
    func `the page says how many files a new thing touches`(_ thing: Thing) throws {
        let page = try Repository.file("CONTRIBUTING.md")
        let row = try #require(page.lines.first { $0.hasPrefix("| \(thing.row) |") })
        let cells = row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
        let touched = Self.touched(by: thing)
        #expect(cells[1] == "\(touched.count)", "\(thing.row): \(touched)")
        #expect(
            !Self.names("aNoteCommand", "NoteCommand")
                && Self.names("(NoteCommand.self)", "NoteCommand")
        )
    }
}
