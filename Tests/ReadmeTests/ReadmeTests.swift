import Foundation
import Testing

/// The code in the README is the code that was compiled and run.
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

    @Test func `the commands of the README are targets of the Makefile`() throws {
        let makefile = try Self.text("Makefile")
        let named = try Self.text("README.md").matches(of: /\bmake ([a-z]+)\b/).map {
            String($0.1)
        }
        #expect(Set(named).isSuperset(of: ["demo", "test", "bench", "lint"]))
        for target in Set(named) { #expect(makefile.contains("\n\(target): ##"), "make \(target)") }
    }
}
