import Foundation
import Testing

/// The examples in the help of commands.
enum HelpExamples {
    /// Returns the examples of a command as they are pasted into a shell, one per line.
    static func read(_ command: [String], by tool: Tool) async throws -> [String] {
        let help = try await tool.run(command + ["--help"])
        #expect(help.status == 0)
        let text = try #require(help.output.split(separator: "Examples:\n", maxSplits: 1).last)
        let shown = text.prefix(upTo: text.firstRange(of: "\n\n")?.lowerBound ?? text.endIndex)
        // A wrapped line would be pasted as two commands.
        for line in shown.split(separator: "\n") { #expect(line.count <= 80, "\(line)") }
        let examples = shown.replacing(/\\\n\s+/, with: "").split(separator: "\n").map {
            $0.trimmingCharacters(in: .whitespaces)
        }
        #expect(!examples.isEmpty)
        for example in examples { #expect(example.hasPrefix("workflowctl "), "\(example)") }
        return examples
    }
}
