import Foundation
import TestSupport
import Testing

/// Servers that speak PostgreSQL's protocol, but not as it says.
@Suite(.threat("T-52")) struct ForeignServerTests {
    /// A server that answers as its first argument says, and the program against it.
    private static let server = URL(fileURLWithPath: SchemaCheck.folder).deletingLastPathComponent()
        .appendingPathComponent("Tests/Tools/hostile_postgresql.py").path

    private func outcome(
        _ kind: String,
        _ arguments: String
    ) async throws -> (status: Int, seconds: Int, mebibytes: Int, words: String) {
        var found = (status: -1, seconds: 0, mebibytes: 0, words: "")
        try await World.with { world in
            let run = try await world.tool.shell(
                "python3 \(Self.server) \(Tool.path) \(kind) \(arguments)"
            )
            try #require(run.status == 0, "\(run.diagnostics)")
            let result = try run.json
            found = (
                try #require(result["status"].number), try #require(result["seconds"].number),
                try #require(result["most"].number), result["words"].text ?? ""
            )
        }
        return found
    }

    @Test(arguments: ["copy", "copy-in", "early", "more"])
    func `an answer that was not asked for loses the connection`(kind: String) async throws {
        let ended = try await outcome(kind, "list")
        #expect(ended.status == 69 && ended.seconds < 15, "\(ended)")
        #expect(ended.words.contains("protocol does not allow"), "\(ended.words)")
    }

    @Test(arguments: ["rows", "unasked", "greeting", "rows --unix", "unasked --unix"])
    func `a server that sends without end is not read without end`(kind: String) async throws {
        let words = kind.split(separator: " ")
        let ended = try await outcome(String(words[0]), "list " + words.dropFirst().joined())
        #expect(ended.status == 69 && ended.seconds < 40, "\(ended)")
        // The limit is half a gibibyte.
        #expect(ended.mebibytes < 1100, "\(ended.mebibytes) MiB")
    }

    @Test(arguments: ["list", "show 0197a9d6-5e5c-7000-8000-000000000000", "store status"])
    func `a silent server does not hold a command longer than --wait`(
        command: String
    ) async throws {
        let ended = try await outcome("silent", "--wait 2s \(command)")
        #expect(ended.status == 69 && ended.seconds < 12, "\(ended)")
    }
}
