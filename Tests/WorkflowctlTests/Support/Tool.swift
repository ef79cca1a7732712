import Foundation
import TestSupport

/// The program under test, which runs as a process.
struct Tool: Sendable {
    /// The result of a run.
    struct Result: Sendable {
        var status: Int32
        var output: String
        var diagnostics: String

        /// The only JSON document on standard output.
        var json: JSON { get throws { try JSON(parsing: output) } }
    }

    /// Environment variables; only the path and the sanitizers' options are inherited from the
    /// tests.
    var environment: [String: String] = [:]
    /// The working directory.
    var folder: String
    let started = Started()

    /// The path of the program, which is built beside the tests.
    static let path = TestProcess.path(of: "workflowctl")

    /// The directory of the program, for the search path of shells.
    static var binaries: String { URL(fileURLWithPath: path).deletingLastPathComponent().path }

    /// Runs the program.
    func run(_ arguments: [String], input: String? = nil) async throws -> Result {
        try await finish(try start(Self.path, arguments, input: input))
    }

    /// Runs a command line with a shell, in which `workflowctl` is the program.
    func shell(_ line: String, input: String? = nil) async throws -> Result {
        try await finish(try start("/bin/bash", ["-c", line], input: input))
    }

    /// Runs a command line with a shell on a pseudo-terminal.
    func terminal(_ line: String, columns: Int = 100) async throws -> Result {
        try await finish(
            try start(
                "/usr/bin/script",
                ["-qec", "stty cols \(columns) rows 40; " + line, "/dev/null"],
                input: nil
            )
        )
    }

    /// Runs the program on a pseudo-terminal without colors, and returns the lines that it prints.
    func lines(_ arguments: String, columns: Int = 80) async throws -> [String] {
        let run = try await terminal("workflowctl --color never " + arguments, columns: columns)
        return run.output.replacing("\r\n", with: "\n").split(separator: "\n").map(String.init)
    }

    /// Starts a program, whose standard input ends after the text.
    func start(
        _ path: String = Tool.path,
        _ arguments: [String],
        input: String?
    ) throws -> TestProcess {
        var variables = environment
        variables["PATH"] = Self.binaries + ":" + (TestProcess.inherited["PATH"] ?? "")
        let running = try TestProcess(
            path,
            arguments,
            in: folder,
            environment: variables,
            input: .text(input ?? "")
        )
        started.add(running)
        return running
    }

    /// Waits for the end of a process.
    func finish(_ running: TestProcess) async throws -> Result {
        let ending = await running.ending()
        return Result(status: ending.status, output: ending.output, diagnostics: ending.words)
    }
}

/// The processes that a test has started.
final class Started: @unchecked Sendable {
    // Unchecked: the list is protected by the lock.
    private let lock = NSLock()
    private var processes: [TestProcess] = []

    func add(_ process: TestProcess) {
        lock.withLock {
            processes.removeAll { !$0.isRunning }
            processes.append(process)
        }
    }

    /// Kills those that still run, so that none outlives its test.
    func end() {
        lock.withLock {
            for process in processes { process.kill() }
        }
    }
}
