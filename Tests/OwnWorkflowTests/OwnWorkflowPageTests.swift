import Foundation
import Testing

/// The page on your own workflows shows code that was compiled and run.
@Suite struct OwnWorkflowPageTests {
    private static let root = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    /// The workflow itself.
    private static let example = "Examples/OwnWorkflow"

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    /// Returns the code on the page, block by block.
    private static func blocks() throws -> [String] {
        try text("Documentation/own-workflow.md").components(separatedBy: "\n```swift\n")
            .dropFirst().compactMap {
                $0.components(separatedBy: "\n```").first
            }
    }

    @Test func `every code block on the page is part of the example or its tests`() throws {
        let sources = try [Self.example, "Tests/OwnWorkflowTests"].flatMap { folder in
            try FileManager.default
                .contentsOfDirectory(atPath: Self.root.appending(path: folder).path)
                .filter { $0.hasSuffix(".swift") }.map { try Self.text("\(folder)/\($0)") }
        }
        let blocks = try Self.blocks()
        #expect(blocks.count > 8)
        for block in blocks {
            let lines = "\n" + block + "\n"
            #expect(sources.contains { ("\n" + $0 + "\n").contains(lines) }, "\(block)")
        }
    }

    @Test func `the page shows the whole workflow`() throws {
        let shown = try Self.blocks().joined(separator: "\n\n")
        for name in ["SeatEvent.swift", "SeatRules.swift", "SeatScenario.swift"] {
            let lines = try Self.text("\(Self.example)/\(name)").split(separator: "\n").filter {
                !$0.hasPrefix("import ")
            }
            #expect(lines.filter { !shown.contains($0) } == [], "\(name)")
        }
    }

    @Test func `the example workflow has fewer than 150 lines`() throws {
        let lines = try ["SeatEvent.swift", "SeatRules.swift"].map {
            try Self.text("\(Self.example)/\($0)")
                .split(separator: "\n", omittingEmptySubsequences: false).count - 1
        }
        #expect(lines.reduce(0, +) < 150, "\(lines)")
    }
}
