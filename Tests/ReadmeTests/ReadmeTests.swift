import Foundation
import Testing

/// The README and the other pages show code that is compiled.
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

    @Test func `pages show only Swift code that is compiled`() throws {
        let sources = try Self.sources()
        #expect(sources.count > 20)
        var pages: Set<String> = []
        for path in try Self.pages() {
            for code in Self.swiftCode(on: try Self.text(path)) {
                pages.insert(path)
                #expect(sources.contains { $0.contains("\n\(code)\n") }, "\(path): \(code)")
            }
        }
        let known = [
            "embedding", "event-logging", "keys", "merchant-api", "merchant-backend", "metrics",
            "own-workflow", "pages", "publishing", "scaling", "simulator",
        ]
        #expect(pages.isSuperset(of: ["README.md"] + known.map { "Documentation/\($0).md" }))
        #expect(!sources.contains { $0.contains("\nlet notCompiled = 1\n") })
    }

    @Test func `Swift code is found in fences and indented, commands and their output are not`() {
        let page = """
            A list:

            1. An item.

               ```swift
               if order.isPaid {
                   ship()
               }
               ```

                let store = try await open()

                await store.close()

            ```console
            $ workflowctl import payments.ndjson
            let it be
            ```

                $ workflowctl list
                let the payer try again
                import of 3 sessions
            """
        #expect(
            Self.swiftCode(on: page) == [
                "if order.isPaid {\nship()\n}", "let store = try await open()",
                "await store.close()",
            ]
        )
    }

    /// The pages, by their paths.
    private static func pages() throws -> [String] {
        try ["", "Documentation/", "Examples/"].flatMap { folder in
            try FileManager.default.contentsOfDirectory(atPath: root.appending(path: folder).path)
                .filter { $0.hasSuffix(".md") }.sorted().map { folder + $0 }
        }
    }

    /// The compiled sources that pages take their code from, without indentation.
    private static func sources() throws -> [String] {
        let folders = ["Examples", "Tests/PaymentsTests", "Tests/OwnWorkflowTests"]
        let files = [
            "Tests/AdaptersTests/Vault/KeyServiceVault.swift",
            "Tests/IntegrationTests/HostWorldTests.swift",
            "Tests/ConsoleTests/MountingTests.swift",
        ]
        let paths = try folders.flatMap { folder in
            try FileManager.default.subpathsOfDirectory(atPath: root.appending(path: folder).path)
                .filter { $0.hasSuffix(".swift") }.map { "\(folder)/\($0)" }
        }
        return try (paths + files).map { path in
            try text(path).split(separator: "\n", omittingEmptySubsequences: false)
                .map { line in "\n" + line.drop { $0 == " " } }.joined() + "\n"
        }
    }

    /// Returns the Swift code on a page, without indentation: what is between fences, and indented
    /// lines that look like Swift.
    private static func swiftCode(on page: String) -> [String] {
        var (found, block) = ([String](), [Substring]())
        var language: Substring?
        let lines = (page + "\n").split(separator: "\n", omittingEmptySubsequences: false)
        for line in lines {
            let text = line.drop { $0 == " " }
            let isFence = text.hasPrefix("```")
            guard isFence || language == nil && !line.hasPrefix("    ") else {
                block.append(text)
                continue
            }
            // The block before this line has ended.
            if language.map({ $0 == "swift" }) ?? block.contains(where: looksLikeSwift) {
                found.append(block.joined(separator: "\n"))
            }
            block = []
            if isFence { language = language == nil ? text.dropFirst(3) : nil }
        }
        return found
    }

    /// Whether a line begins like Swift and not like a sentence.
    private static func looksLikeSwift(_ line: Substring) -> Bool {
        let pattern = /(?:let|var) \w+(?::| =)|import \w+$|(?:func|struct) \w+|(?:try )?await\s/
        return line.prefixMatch(of: pattern) != nil
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
