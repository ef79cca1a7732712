import Foundation
import TestSupport
import Testing

/// The script that counts the instructions of each kind of work, with made counts.
///
/// The counts of the program itself are compared in CI, by the same script: they need a build with
/// optimization, and many times as long as this.
@Suite(.feature("S-29")) struct InstructionTests {
    private static let work = ["encode", "decode", "fold", "step", "summary", "append", "check"]

    @Test func `counts up to a tenth above the recorded ones pass`() async throws {
        // Recorded numbers of which 100 is at most a tenth above, and those of every kind of work.
        let count = try await Self.count(recorded: [91, 91, 92, 99, 100, 101, 500])
        #expect(count.rows.map(\.work) == Self.work, "\(count.output)")
        for row in count.rows where !row.verdict.isEmpty { Issue.record("\(row)") }
        #expect(count.status == 0, "\(count.output)")
    }

    @Test func `the recorded counts name every kind of work`() throws {
        let recorded = try Repository.file("Benchmarks/instructions.txt").lines
            .map { $0.split(separator: " ") }.filter { !$0.isEmpty }
        #expect(recorded.map { $0.first.map(String.init) } == Self.work)
        #expect(recorded.allSatisfy { $0.count == 2 && Int($0[1]) ?? 0 > 0 })
    }

    @Test func `a count over a tenth above the recorded one is named, and one without a record`()
        async throws
    {
        let count = try await Self.count(recorded: [100, 91, 90, 200, 100, 100])
        #expect(count.status == 1, "\(count.output)")
        #expect(count.rows.count == 7, "\(count.output)")
        #expect(
            count.rows.filter { !$0.verdict.isEmpty } == [
                Row(work: "fold", counted: "100", recorded: "90", verdict: "more than 10 % above"),
                Row(work: "check", counted: "100", recorded: "-", verdict: "not recorded"),
            ]
        )
    }

    /// Runs the script, for which everything takes a hundred instructions, with recorded numbers of
    /// the first kinds of work.
    private static func count(recorded numbers: [Int]) async throws -> Count {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        // In valgrind's place: a hundred instructions for each of the log's 27 events.
        let valgrind = folder.appending(path: "valgrind")
        let script = """
            #!/bin/sh
            for times; do :; done
            echo "==1== Collected : $((times * 27 * 100))"

            """
        try Data(script.utf8).write(to: valgrind)
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o755],
            ofItemAtPath: valgrind.path
        )
        let recorded = folder.appending(path: "recorded.txt")
        let rows = zip(work, numbers).map { "\($0) \($1)\n" }.joined()
        try Data(rows.utf8).write(to: recorded)
        return try await count(
            ["--program", "/bin/true", "--recorded", recorded.path],
            tools: folder
        )
    }

    /// A row of the table that the script prints.
    private struct Row: Equatable, CustomStringConvertible {
        var work: String
        var counted: String
        var recorded: String
        /// What is wrong with the count; empty if it is good.
        var verdict: String

        var description: String {
            "\(work): counted \(counted) instructions per event, recorded \(recorded): \(verdict)"
        }
    }

    /// The result of a run of the script.
    private struct Count: Sendable {
        var status: Int32
        var output: String

        var rows: [Row] {
            output.split(separator: "\n").compactMap { line in
                guard let match = line.wholeMatch(of: /(\w+) +(\d+) +(\d+|-) *(.*)/) else {
                    return nil
                }
                return Row(
                    work: String(match.1),
                    counted: String(match.2),
                    recorded: String(match.3),
                    verdict: String(match.4)
                )
            }
        }
    }

    /// Seconds after which a run of the script is ended.
    private static let limit = 300

    /// Runs the script on a thread of its own, so that other tests continue meanwhile.
    private static func count(_ options: [String], tools: URL) async throws -> Count {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                do {
                    continuation.resume(returning: try Self.run(options, tools: tools))
                } catch {
                    continuation.resume(throwing: error)
                }
            }
        }
    }

    private static func run(_ options: [String], tools: URL) throws -> Count {
        let process = Process()
        let pipe = Pipe()
        let script = Repository.root.appending(path: "scripts/count-instructions").path
        var variables = ProcessInfo.processInfo.environment
        variables["PATH"] = "\(tools.path):\(variables["PATH"] ?? "")"
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        // Ends the script together with what it has started.
        process.arguments = ["timeout", "\(limit)", script] + options
        process.environment = variables
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return Count(
            status: process.terminationStatus,
            output: String(decoding: output, as: UTF8.self)
        )
    }
}
