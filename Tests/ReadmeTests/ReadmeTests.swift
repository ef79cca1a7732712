import Foundation
import Testing

/// The README shows code that was compiled and run.
@Suite struct ReadmeTests {
    private static let root = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    @Test func `the README shows the first example as it is compiled and run`() throws {
        let example = try Self.text("Examples/FirstPayment/main.swift")
        #expect(example.split(separator: "\n").count <= 25)
        #expect(try Self.text("README.md").contains("```swift\n\(example)```\n"))
    }

    @Test func `the page about embedding shows only code that is compiled`() throws {
        let page = try Self.text("Documentation/embedding.md")
        let blocks = page.matches(of: /(?ms)^ *```(\w*)\n(.*?)^ *```$/)
        let sources = try Self.examples().map(Self.unindented)
        #expect(sources.count > 6)
        #expect(blocks.count >= 4)
        for block in blocks {
            #expect(block.1 == "swift", "\(block.2)")
            let code = Self.unindented(String(block.2))
            #expect(sources.contains { $0.contains("\n\(code)") }, "not compiled: \(block.2)")
        }
        #expect(!page.contains("\n\n    "), "an indented block")
        #expect(!sources.contains { $0.contains("\nlet notCompiled = 1\n") })
    }

    /// The sources that pages take their code from.
    private static func examples() throws -> [String] {
        let folder = root.appending(path: "Examples")
        let paths = FileManager.default.enumerator(atPath: folder.path)?.allObjects ?? []
        return try ["Tests/PaymentsTests/EmbeddingTests.swift"].map(text)
            + paths.compactMap { $0 as? String }.filter { $0.hasSuffix(".swift") }
            .map { try text("Examples/\($0)") }
    }

    /// A text whose lines have lost their indentation.
    private static func unindented(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false)
            .map { String($0.drop { $0 == " " }) }.joined(separator: "\n")
    }

    @Test func `the commands of the README are targets of the Makefile`() throws {
        let makefile = try Self.text("Makefile")
        let named = try Self.text("README.md").matches(of: /\bmake ([a-z]+)\b/).map {
            String($0.1)
        }
        #expect(Set(named).isSuperset(of: ["demo", "test", "bench", "lint"]))
        for target in Set(named) { #expect(makefile.contains("\n\(target): ##"), "make \(target)") }
    }
}
