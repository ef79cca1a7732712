import Foundation
import Testing

@Suite struct FormTests {
    static let sources =
        Repository.files(below: "Sources", endingIn: ".swift")
        + Repository.files(below: "Tests", endingIn: ".swift")

    @Test func `every function has at most 70 lines`() {
        let files = Self.sources.filter { $0.path.hasPrefix("Sources/") }
        #expect(files.count > 200)
        #expect(files.flatMap(Form.longFunctions) == [])
        for (count, isLong) in [(66, false), (67, true)] {
            let body = String(repeating: "    x()\n", count: count)
            let text = "struct A {\nfunc a(\n    b: Int\n) {\n\(body)}\nfunc c() { d() }\n}\n"
            #expect(
                !Form.longFunctions(in: TextFile(path: "a.swift", text: text)).isEmpty == isLong
            )
        }
    }

    @Test func `comments have at most 100 columns`() throws {
        let folders = ["Benchmarks", "Examples", "Plugins", "Sources", "Tests", "scripts"]
        let files = folders.flatMap { Repository.files(below: $0) }
        #expect(files.count > 500)
        let others = try ["Makefile", "Package.swift", ".ci/run"].map(Repository.file)
        #expect((files + others).flatMap(Form.longComments) == [])
        let cases = [
            ("a.swift", "    /// ", true), ("a.swift", "// ", true), ("a.swift", "let a = ", false),
            ("EmbeddedA.swift", "// ", false), ("a.h", "// ", true), ("a.h", "#define ", false),
            ("a.py", "# ", true), ("a.py", "    \"\"\"", true), ("a.py", "a = \"\"\"", false),
            ("scripts/a", "# ", true), ("scripts/a", "#!", false), ("Makefile", "# ", true),
            ("a.md", "# ", false),
        ]
        for (path, start, isChecked) in cases {
            for (columns, isLong) in [(100, false), (101, true)] {
                let line = start.padding(toLength: columns, withPad: "x", startingAt: 0)
                let found = Form.longComments(in: TextFile(path: path, text: "\n\(line)\n"))
                #expect(found.map(\.line) == (isChecked && isLong ? [2] : []), "\(path): \(start)")
            }
        }
    }

    @Test func `no file is a collection of leftovers`() {
        #expect(Repository.files().filter(Form.hasLeftoverName).map(\.path) == [])
        for name in ["Utils/Text.swift", "String+Helpers.swift", "SessionManager.swift"] {
            #expect(Form.hasLeftoverName(TextFile(path: "Sources/SwedbankPay/\(name)", text: "")))
        }
        let good = TextFile(path: "Sources/SwedbankPay/Session/PaymentNext+Attempt.swift", text: "")
        #expect(!Form.hasLeftoverName(good))
    }

    @Test func `no file contains unfinished-work marks, local paths or tracker numbers`() {
        let files = Repository.files()
        #expect(files.count > 300)
        #expect(files.flatMap(Form.workshopWords) == [])
        let planted = ["// TO" + "DO: later", "see \"/wo" + "rk/notes\"", "as issue " + "12 says"]
        for line in planted {
            let file = TextFile(path: "a.md", text: "A line.\n\(line)\n")
            #expect(Form.workshopWords(in: file).map(\.line) == [2])
        }
    }

    @Test func `pages and scripts are files of their own, not text in Swift`() {
        let files = Self.sources.filter { $0.path.hasPrefix("Sources/") }
        #expect(files.flatMap(Form.pages) == [])
        for line in ["    <!doctype html>", "<body>", "document.getElementById(\"a\").click();"] {
            #expect(!Form.pages(in: TextFile(path: "a.swift", text: line)).isEmpty, "\(line)")
        }
    }

    @Test func `no mark of a syntax is searched by whole characters`() {
        let files = Self.sources.filter { $0.path.hasPrefix("Sources/") }
        #expect(files.flatMap(MarkSearch.byCharacters) == [])
        let planted = [
            "text.replacing(\"'\", with: \"\")", "text.contains(\"://\")",
            "text.replacing(part, with: x)",
            "text.split(separator: \",\", maxSplits: 1)", "path.lastIndex(of: \"/\")",
            "a[0].contains(\"<\")",
            "text.prefix { $0 != \"?\" }", "text.split(whereSeparator: { $0 == \"|\" })",
            "a.utf8.count + text.firstIndex(of: \"=\")", "text.contains(#\"\"\"#)",
        ]
        for line in planted {
            let file = TextFile(path: "a.swift", text: "a\n    let b = \(line)\n")
            #expect(MarkSearch.byCharacters(in: file).map(\.line) == [2], "\(line)")
        }
        for line in [
            "text.utf8.contains(\"://\".utf8)", "text.unicodeScalars.contains(\"'\")",
            "// a.contains(\"'\")",
            "arguments.contains(\"--json\")", "text.pieces(between: \",\")",
            "text.rewriting(\"'\", as: \"\")",
            "text?.unicodeScalars.firstIndex(of: \"/\")", "names.contains(name)",
        ] {
            #expect(
                MarkSearch.byCharacters(in: TextFile(path: "a.swift", text: line)) == [],
                "\(line)"
            )
        }
    }

    @Test func `the changelog begins with its Unreleased section`() throws {
        let lines = try Repository.file("CHANGELOG.md").lines
        #expect(lines.first == "# Changelog")
        #expect(lines.first { $0.hasPrefix("## ") } == "## [Unreleased]")
    }
}
