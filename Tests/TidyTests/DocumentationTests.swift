import Foundation
import TestSupport
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

    @Test(.feature("S-30"))
    func `all links and anchors resolve, and the index lists every page once`() throws {
        #expect(try Self.check(Repository.root) == [])
    }

    @Test func `the check of the pages reports every kind of fault`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        for name in ["Documentation", "Tests"] {
            try FileManager.default.createDirectory(
                at: folder.appending(path: name),
                withIntermediateDirectories: true
            )
        }
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

            | id | where |
            |---|---|
            | N-01 | `No.swift` |
            | N-02 | |
            | N-02 | not ours: a reason |

            """
        for (name, text) in [
            ("README.md", index), ("a.md", page), ("Other_page.md", "# B\n"),
            ("errors.md", "# Error codes\n"), ("errors.json", "[]"),
            ("../Tests/A.swift", "@Te" + "st(.feature(\"N-01\", \"N-09\")) func a() {}"),
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
                "Documentation/a.md: N-01: No.swift: there is no such file",
                "Documentation/a.md: N-02 is there twice",
                "Documentation/a.md: N-02: no test shows it",
                "Documentation/a.md: b.md: there is no such file",
                "Documentation/errors.md: Documentation/README.md does not list it",
                "Documentation/errors.md: is not what its source says; run scripts/build-docs --write",
                "Tests/A.swift:1: no page has N-09",
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

    @Test func `simulator.md shows HostWorldTests.swift as it is compiled and run`() throws {
        let example = try Repository.file("Tests/IntegrationTests/HostWorldTests.swift").text
        let page = try Repository.file("Documentation/simulator.md").text
        #expect(page.contains("```swift\n\(example)```\n"))
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
