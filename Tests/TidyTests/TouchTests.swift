import Foundation
import Testing

/// How many files a new thing touches, counted by those that name an existing one.
@Suite struct TouchTests {
    /// A kind of thing, by the row of the pages that says how many files name it.
    struct Thing: Sendable, CustomTestStringConvertible {
        var row: String
        /// The names of existing ones; `…` stands for the rest of a longer name.
        var names: [String]
        var leavesOut: [String] = []
        var testDescription: String { row }
    }

    static let things = [
        Thing(row: "an event", names: ["walletCanceled"]),
        Thing(
            row: "an event that an app reports, with an outcome of its own",
            names: ["termsOfServiceOpened", "openedTermsOfService"]
        ),
        Thing(
            row: "a native instrument",
            names: ["googlePay", "GooglePay", "google-pay", "GooglePayRequest"]
        ),
        Thing(
            row: "a store, outside its folder",
            names: storeNames,
            leavesOut: stores + [
                "Sources/Payments/",
                // A register of orders, in a file that is no store.
                "Sources/MerchantBackend/Registers/SQLiteOrderRegister.swift",
            ]
        ),
        Thing(
            row: "a store whose options a service may set, outside its folder",
            names: ["PostgreSQL…", "CPQ", "\"postgresql\""],
            leavesOut: stores
        ),
        Thing(
            row: "a PSP, apart from its own target and adapter",
            names: ["SwedbankPayProvider"],
            leavesOut: ["Sources/Adapters/SwedbankPayHTTP/"]
        ),
        Thing(row: "a command", names: ["NoteCommand", "workflowctl note --json"]),
    ]

    /// What names either store: its types, its library and its kind.
    private static let storeNames = [
        "PostgreSQL…", "CPQ", "\"postgresql\"", "SQLite…", "CSQLite", "\"sqlite\"",
    ]

    /// The folders of the stores and of their libraries.
    private static let stores = [
        "Sources/Adapters/EventStores/PostgreSQL/", "Sources/CPQ/",
        "Sources/Adapters/EventStores/SQLite/", "Sources/CSQLite/",
        "Sources/Adapters/Auditing/SQLite/",
    ]

    /// The pages that state the counts.
    private static let pages = ["CONTRIBUTING.md"]

    /// The counted files: the sandbox shares no code, and a script writes the lists of events.
    private static let files =
        (Repository.files(below: "Sources") + Repository.files(below: "Schemas"))
        .filter {
            !$0.path.hasPrefix("Sources/Sandbox/") && $0.path != "Schemas/record.schema.json"
                && !$0.lines.prefix(2).contains { $0.hasPrefix("// Written by ") }
        }

    private static func touched(by thing: Thing) -> [String] {
        files.filter { file in
            !thing.leavesOut.contains { file.path.hasPrefix($0) }
                && thing.names.contains { names(file.text, $0) }
        }
        .map(\.path)
    }

    /// Returns whether a text contains a name as a separate word, or one that begins with it and
    /// continues with a capital if the name ends in `…`.
    private static func names(_ text: String, _ name: String) -> Bool {
        let isOpen = name.hasSuffix("…")
        let word = isOpen ? String(name.dropLast()) : name
        guard Lines(of: text).contain(word) else { return false }
        return text.ranges(of: word).contains { range in
            let isWord = { (character: Character?) in
                character.map { $0.isLetter || $0.isNumber } ?? false
            }
            let before =
                range.lowerBound > text.startIndex
                ? text[text.index(before: range.lowerBound)] : nil
            let after = range.upperBound < text.endIndex ? text[range.upperBound] : nil
            return !isWord(before) && (isOpen ? after?.isUppercase == true : !isWord(after))
        }
    }

    @Test(arguments: things)
    func `the pages state how many files each kind of addition touches`(_ thing: Thing) throws {
        let touched = Self.touched(by: thing)
        for path in Self.pages {
            let page = try Repository.file(path)
            let row = try #require(page.lines.first { $0.hasPrefix("| \(thing.row) |") }, "\(path)")
            let cells = row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            #expect(cells[1] == "\(touched.count)", "\(path), \(thing.row): \(touched)")
        }
    }

    @Test func `a name is found as a separate word, an open one with the rest of the word`() {
        #expect(!Self.names("aNoteCommand", "NoteCommand"))
        #expect(Self.names("(NoteCommand.self)", "NoteCommand"))
        #expect(Self.names("[SQLiteKind.self]", "SQLite…"))
        #expect(!Self.names("a SQLite file", "SQLite…") && !Self.names("CSQLiteX", "SQLite…"))
    }

    @Test func `the generated lists of events match the event files`() throws {
        #expect(try Self.checkEvents(below: Repository.root) == 0)
        let copy = FileManager.default.temporaryDirectory
            .appendingPathComponent("events-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: copy) }
        for path in [
            "scripts/list-events", "Sources/SwedbankPay/Events", "Schemas/record.schema.json",
            "Schemas/events",
        ] {
            let target = copy.appendingPathComponent(path)
            try FileManager.default.createDirectory(
                at: target.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
            try FileManager.default.copyItem(
                at: Repository.root.appendingPathComponent(path),
                to: target
            )
        }
        #expect(try Self.checkEvents(below: copy) == 0)
        for path in [
            "Sources/SwedbankPay/Events/WalletCanceled.swift", "Schemas/events/failed.v1.json",
        ] {
            try FileManager.default.removeItem(at: copy.appendingPathComponent(path))
        }
        #expect(try Self.checkEvents(below: copy) == 1)
        #expect(try Self.checkEvents(below: copy, writing: true) == 0)
        #expect(try Self.checkEvents(below: copy) == 0)
        let lists = try String(
            contentsOf: copy.appendingPathComponent(
                "Sources/SwedbankPay/Events/SessionEvent.swift"
            ),
            encoding: .utf8
        )
        #expect(lists.contains("case walletFailed") && !lists.contains("walletCanceled"))
    }

    /// Returns the exit code of the script that compares the lists of events, or writes them.
    private static func checkEvents(below root: URL, writing: Bool = false) throws -> Int32 {
        let process = Process()
        process.executableURL = root.appendingPathComponent("scripts/list-events")
        process.arguments = writing ? [] : ["--check"]
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        return process.terminationStatus
    }
}
