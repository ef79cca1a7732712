import Foundation
import Testing

@Suite struct DocumentationTests {
    @Test func `every error code is described, and every description has an error code`() throws {
        let codes = Set(ErrorCodes.sources.flatMap { ErrorCodes.codes(in: $0.text) })
        let described = try ErrorCodes.described()
        let named = described.map(\.code)
        #expect(codes.count > 70)
        #expect(codes.subtracting(named).sorted() == [], "codes without a description")
        #expect(Set(named).subtracting(codes).sorted() == [], "descriptions without a code")
        #expect(Set(named).count == named.count, "a code is described twice")
        for error in described {
            let texts = [error.meaning, error.cause, error.remedy]
            #expect(
                texts.allSatisfy { $0.hasSuffix(".") || $0.hasSuffix(")") || $0.hasSuffix("|") },
                "\(error.code)"
            )
        }
    }

    @Test func `error codes are extracted from source code`() {
        let source = """
            case .lost: "store.lost"
            throw .usage(
                "odd", "text")
            default: "answer.too-many-\\(name)"
            case .host: "psp.example"
            """
        #expect(ErrorCodes.codes(in: source) == ["store.lost", "usage.odd", "answer.too-many"])
    }

    @Test func `every file that a document links to exists`() {
        let documents = Repository.files(endingIn: ".md")
        #expect(documents.count > 10)
        #expect(documents.flatMap(Self.brokenLinks) == [])
        let planted = TextFile(
            path: "Documentation/a.md",
            text: "[b](no-such.md) [c](../LICENSE)"
        )
        #expect(Self.brokenLinks(in: planted) == ["Documentation/a.md: no-such.md"])
    }

    @Test func `all links and anchors resolve, and the index lists every page once`() throws {
        #expect(try Self.check(Repository.root) == [])
    }

    @Test func `the check of the pages reports every kind of fault`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(
            at: folder.appending(path: "Documentation"),
            withIntermediateDirectories: true
        )
        let index = """
            # Title

            What it is.

            ## Tutorials

            - [A](a.md): first
            - [A again](a.md): first

            ## How-to guides

            """
        let page = """
            # A

            [none](b.md) [heading](#no-heading) [there](#a-b-and-c) `[code](c.md)`

                [indented](d.md)

            ## A: `b` and (c)

            """
        for (name, text) in [
            ("README.md", index), ("a.md", page), ("Other_page.md", "# B\n"),
            ("errors.md", "# Error codes\n"), ("errors.json", "[]"),
        ] {
            try Data(text.utf8).write(to: folder.appending(path: "Documentation/\(name)"))
        }
        #expect(
            try Self.check(folder) == [
                "Documentation/Other_page.md: Documentation/README.md does not list it",
                "Documentation/Other_page.md: names of pages are lower case, with dashes between words",
                "Documentation/README.md: Documentation/a.md is listed more than once",
                "Documentation/README.md: the sections are Tutorials, How-to guides",
                "Documentation/a.md: #no-heading: Documentation/a.md has no such heading",
                "Documentation/a.md: b.md: there is no such file",
                "Documentation/errors.md: Documentation/README.md does not list it",
                "Documentation/errors.md: is not what its source says; run scripts/build-docs --write",
                "llms.txt: is not what its source says; run scripts/build-docs --write",
            ]
        )
    }

    @Test func `every tutorial in the index is named by a test`() throws {
        let index = try Repository.file("Documentation/README.md").text
        let section = try #require(index.components(separatedBy: "\n## ").dropFirst().first)
        let pages = section.matches(of: /(?m)^- \[[^\]]+\]\(([^)]+)\.md\)/).map { String($0.1) }
        #expect(pages.count >= 5)
        let tests = Lines(
            of: FormTests.sources.filter {
                $0.path.hasPrefix("Tests/") && $0.path.hasSuffix("Tests.swift")
                    && $0.path != "Tests/TidyTests/DocumentationTests.swift"
            }.map(\.text).joined()
        )
        for page in pages {
            let isNamed = tests.contain("\"\(page)\"") || tests.contain("\(page).md\"")
            #expect(isNamed, "no test names \(page)")
        }
    }

    @Test func `the README has at most 150 lines and says in the first 15 what was never tested`()
        throws
    {
        let readme = try Repository.file("README.md")
        #expect(readme.lines.dropLast().count <= 150)
        let screen = readme.lines.prefix(15).joined(separator: "\n")
        #expect(screen.contains("Swedbank Pay"))
        #expect(screen.contains("never run against the PSP's own environment"))
    }

    /// Returns the errors that the site's builder finds in the pages below a folder, sorted.
    private static func check(_ root: URL) throws -> [String] {
        let process = Process()
        let pipe = Pipe()
        process.executableURL = Repository.root.appending(path: "scripts/build-docs")
        process.arguments = ["--check", "--root", root.path]
        process.standardOutput = pipe
        try process.run()
        let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        let lines = String(decoding: output, as: UTF8.self).split(separator: "\n").map(String.init)
        #expect(
            (process.terminationStatus == 0) == (lines.count == 1 && lines[0].contains("pages"))
        )
        return process.terminationStatus == 0 ? [] : lines.sorted()
    }

    @Test func `every guarantee is described with existing tests and with mutations that break it`()
        throws
    {
        let page = try Repository.file("Documentation/reliability.md")
        let mutations = try Repository.file(
            "Sources/WorkflowTesting/Simulation/Payments/Mutation.swift"
        ).text
        let guarantees = [
            "durableFirst", "nothingLost", "oneWriter", "noDoublePay", "replayEqualsLive",
            "settles", "terminalIsFinal", "paidMeansPaid", "redactionInvariant",
            "noSecretOutside", "boundedEverything",
        ]
        for guarantee in guarantees {
            let section = page.text.components(separatedBy: "\n## ").first {
                $0.prefix { $0 != "\n" }.hasSuffix(guarantee)
            }
            let named = (section ?? "").matches(of: /(?m)^- `([^`]+)`$/).map { String($0.1) }
            #expect(!named.isEmpty, "\(guarantee) names no test")
            #expect(named.filter { !FormTests.tests.contain("`\($0)`(") } == [], "\(guarantee)")
            let broken = (section ?? "").firstMatch(of: /(?m)^Broken on purpose: (.+)\.$/)
            let names = (broken?.1 ?? "").matches(of: /`([^`]+)`/).map { String($0.1) }
            #expect(!names.isEmpty, "\(guarantee) is not broken on purpose")
            // A mutation's row names the guarantees that detect it, the targeted one first.
            let rows = mutations.matches(of: /case ([^:]+): \[\.(\w+)/)
            for name in names {
                let row = rows.first { $0.1.split(separator: ", ").contains(".\(name)") }
                #expect(row?.2 == Substring(guarantee), "\(name)")
            }
        }
    }

    @Test func `reliability.md names only existing tests, each once per list`() throws {
        let page = try Repository.file("Documentation/reliability.md")
        let lists = page.text.components(separatedBy: "\n## ").map { section in
            section.matches(of: /(?m)^- `([^`]+)`$/).map { String($0.1) }
        }
        #expect(lists.joined().count > 80)
        for list in lists {
            #expect(list.filter { !FormTests.tests.contain("`\($0)`(") } == [])
            #expect(Set(list).count == list.count, "\(list)")
        }
    }

    @Test func `simulator.md shows HostWorldTests.swift as it is compiled and run`() throws {
        let example = try Repository.file("Tests/IntegrationTests/HostWorldTests.swift").text
        let page = try Repository.file("Documentation/simulator.md").text
        #expect(page.contains("```swift\n\(example)```\n"))
    }

    @Test func `every flaw has tests with its number, and the table in flaws.md lists all of them`()
        throws
    {
        let page = try Repository.file("Documentation/flaws.md")
        let tests = Set(
            FormTests.tests.containing(["F-"]).flatMap { _, line in
                // A long name is on a line of its own.
                line.matches(of: /(?:func |^ +)`([^`]*F-[0-9]{2}:[^`]*)`/).map { String($0.1) }
            }
        )
        #expect(tests.count > 50)
        var listed: Set<String> = []
        for number in 1...38 {
            let flaw = "F-" + (number < 10 ? "0" : "") + "\(number)"
            let row = page.lines.filter { $0.hasPrefix("| \(flaw) |") }
            #expect(row.count == 1, "\(flaw)")
            let named = (row.first ?? "").matches(of: /`([^`]*F-[0-9]{2}:[^`]*)`/).map {
                String($0.1)
            }
            #expect(named.contains { $0.contains(flaw) }, "\(flaw) names no test")
            #expect(named.filter { !tests.contains($0) } == [], "\(flaw)")
            listed.formUnion(named)
        }
        #expect(tests.subtracting(listed).sorted() == [], "tests that the table does not name")
    }

    @Test func `every flow names tests that exist`() throws {
        let rows = try Repository.file("Documentation/flows.md").lines
            .filter { $0.hasPrefix("| ") && !$0.hasPrefix("| flow") }
        #expect(rows.count > 20)
        for row in rows {
            let named = row.matches(of: /`([^`]+)`/).map { String($0.1) }
            #expect(!named.isEmpty, "\(row)")
            #expect(named.filter { !FormTests.tests.contain("`\($0)`") } == [])
        }
    }

    /// Returns the links of a document to missing files.
    private static func brokenLinks(in document: TextFile) -> [String] {
        let folder = document.path.split(separator: "/").dropLast().joined(separator: "/")
        let links = Lines(of: document.text).containing(["]("]).flatMap { _, line in
            line.matches(of: /\]\(([^)\s#]+)[^)\s]*\)/)
        }
        return links.compactMap { match in
            let target = String(match.1)
            guard !target.contains("://"), !target.hasPrefix("mailto:") else { return nil }
            let path = folder.isEmpty ? target : "\(folder)/\(target)"
            return Repository.exists(path) ? nil : "\(document.path): \(target)"
        }
    }
}
