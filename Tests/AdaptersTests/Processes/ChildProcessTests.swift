import Foundation
import Glibc
import Testing

@testable import Adapters

@Suite struct ChildProcessTests {
    /// Runs a script in a shell.
    private func run(
        _ script: String,
        input: [UInt8] = [],
        limit: Int = 1 << 20,
        for time: Duration = .seconds(60)
    ) throws(ChildProcess.Failure) -> ChildProcess.Result {
        try ChildProcess.run(
            ["/bin/sh", "-c", script],
            input: input,
            variables: ["PATH=/usr/bin:/bin", "NAME=value"],
            outputLimit: limit,
            timeLimit: time
        )
    }

    @Test func `a program that writes before it has read everything gets all of its input`() throws
    {
        // More than a pipe holds, in both directions.
        let input = [UInt8](repeating: 0x61, count: 1 << 20)
        let result = try run("cat", input: input)
        #expect(result.output == input && result.end == .exited(0))
    }

    @Test func `a program need not read its input, and its end is reported`() throws {
        let input = [UInt8](repeating: 0x61, count: 1 << 20)
        let result = try run("printf %s \"$NAME\"; exit 3", input: input)
        #expect(result.output == Array("value".utf8) && result.end == .exited(3))
        #expect(try run("kill -9 $$").end == .killed(SIGKILL))
    }

    @Test func `a program that closes its output and goes on is killed at the time limit`() throws {
        let error = #expect(throws: ChildProcess.Failure.self) {
            _ = try run("exec >&-; exec sleep 600", for: .milliseconds(300))
        }
        guard case .tooSlow? = error else { throw Unexpected(error: error) }
    }

    @Test func `what a program started is killed with it at a limit`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "number").path
        let error = #expect(throws: ChildProcess.Failure.self) {
            _ = try run("sleep 600 & echo $! > \(file); yes", limit: 4096)
        }
        guard case .tooMuchOutput? = error else { throw Unexpected(error: error) }
        let text = try String(contentsOfFile: file, encoding: .utf8)
        let grandchild = try #require(pid_t(text.trimmingCharacters(in: .whitespacesAndNewlines)))
        // Another process reaps it; until then it is there, but dead.
        let deadline = ContinuousClock.now + .seconds(60)
        while kill(grandchild, 0) == 0, try !isDead(grandchild) {
            try #require(ContinuousClock.now < deadline)
            usleep(1000)
        }
    }

    @Test func `a program is killed when the task is canceled`() async throws {
        let task = Task {
            Result { () throws(ChildProcess.Failure) in
                try run("exec sleep 600", for: .seconds(300))
            }
        }
        task.cancel()
        guard case .failure(.canceled) = await task.value else { throw Unexpected() }
    }

    @Test func `a program that cannot be run is a failure with the system's reason`() throws {
        let error = #expect(throws: ChildProcess.Failure.self) {
            _ = try ChildProcess.run(
                ["/nonexistent"],
                variables: [],
                outputLimit: 1,
                timeLimit: .seconds(60)
            )
        }
        guard case .notRun(ENOENT)? = error else { throw Unexpected(error: error) }
    }

    private struct Unexpected: Error { var error: ChildProcess.Failure? }

    /// Whether a process has ended and was not reaped yet.
    private func isDead(_ process: pid_t) throws -> Bool {
        guard let stat = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
        else { return true }
        return stat.contains(") Z ")
    }
}
