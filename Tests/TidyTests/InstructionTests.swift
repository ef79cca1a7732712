import Foundation
import Testing

/// The instructions that each kind of work takes per event, in the program as the tests build it.
///
/// A count is the same on a busy machine, so it can fail a test; a time is not.
@Suite struct InstructionTests {
    @Test(.enabled(if: canCount, "needs valgrind, and counts are those of x86-64"))
    func `no kind of work takes over a tenth more instructions than are recorded`() async throws {
        let count = try await Self.count(["--program", Self.program])
        let work = ["encode", "decode", "fold", "step", "summary", "append", "check"]
        #expect(count.rows.map(\.work) == work, "\(count.output)")
        for row in count.rows where !row.verdict.isEmpty { Issue.record("\(row)") }
        #expect(count.status == 0, "\(count.output)")
    }

    @Test func `a count over a tenth above the recorded one is named, and one without a record`()
        async throws
    {
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
        let numbers = "encode 100\ndecode 91\nfold 90\nstep 200\nsummary 100\nappend 100\n"
        try Data(numbers.utf8).write(to: recorded)
        let count = try await Self.count(
            ["--program", "/bin/true", "--recorded", recorded.path],
            tools: folder
        )
        #expect(count.status == 1, "\(count.output)")
        #expect(count.rows.count == 7, "\(count.output)")
        #expect(
            count.rows.filter { !$0.verdict.isEmpty } == [
                Row(work: "fold", counted: "100", recorded: "90", verdict: "more than 10 % above"),
                Row(work: "check", counted: "100", recorded: "-", verdict: "not recorded"),
            ]
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
    private static let limit = 1200

    /// Whether the counts can be compared.
    ///
    /// They are those of x86-64, and valgrind must be installed. In CI it has to be.
    private static let canCount: Bool = {
        #if !arch(x86_64)
            return false
        #endif
        let variables = ProcessInfo.processInfo.environment
        let folders = (variables["PATH"] ?? "").split(separator: ":")
        return variables["CI"] != nil
            || folders.contains {
                FileManager.default.isExecutableFile(atPath: "\($0)/valgrind")
            }
    }()

    /// The counted program, which is built beside the tests.
    private static var program: String {
        get throws {
            let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
            return URL(fileURLWithPath: tests).deletingLastPathComponent()
                .appending(path: "InstructionCounter").path
        }
    }

    /// Runs the script on a thread of its own, so that other tests continue meanwhile.
    private static func count(_ options: [String], tools: URL? = nil) async throws -> Count {
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

    private static func run(_ options: [String], tools: URL?) throws -> Count {
        let process = Process()
        let pipe = Pipe()
        let script = Repository.root.appending(path: "scripts/count-instructions").path
        var variables = ProcessInfo.processInfo.environment
        if let tools { variables["PATH"] = "\(tools.path):\(variables["PATH"] ?? "")" }
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
