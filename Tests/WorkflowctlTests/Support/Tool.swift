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

    /// A running process.
    struct Running: @unchecked Sendable {
        // Unchecked: the process object is used by one test at a time.
        let process: Process
        fileprivate let ended: AsyncStream<Int32>
        fileprivate let output: Collector
        fileprivate let diagnostics: Collector

        var id: Int32 { process.processIdentifier }

        /// The standard output so far.
        var outputSoFar: String { output.text }
    }

    func start(_ path: String = Tool.path, _ arguments: [String], input: String?) throws -> Running
    {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        process.currentDirectoryURL = URL(fileURLWithPath: folder)
        var variables = environment.merging(TestProcess.inherited) { first, _ in first }
        variables["PATH"] = Self.binaries + ":" + (TestProcess.inherited["PATH"] ?? "")
        process.environment = variables
        let (out, err, source) = (Pipe(), Pipe(), Pipe())
        process.standardOutput = out
        process.standardError = err
        process.standardInput = source
        let (ended, end) = AsyncStream<Int32>.makeStream()
        try process.run()
        started.add(process)
        let running = Running(
            process: process,
            ended: ended,
            output: Collector(out),
            diagnostics: Collector(err)
        )
        // Foundation releases a process and its pipes only when something waits for its end.
        Thread.detachNewThread {
            let process = running.process
            process.waitForEnd()
            let isSignal = process.terminationReason == .uncaughtSignal
            end.yield(isSignal ? 128 + process.terminationStatus : process.terminationStatus)
            end.finish()
        }
        if let input { try? source.fileHandleForWriting.write(contentsOf: Data(input.utf8)) }
        try? source.fileHandleForWriting.close()
        return running
    }

    func finish(_ running: Running) async throws -> Result {
        var status: Int32 = -1
        for await code in running.ended { status = code }
        await running.output.wait()
        await running.diagnostics.wait()
        return Result(
            status: status,
            output: running.output.text,
            diagnostics: running.diagnostics.text
        )
    }
}

/// The processes that a test has started.
final class Started: @unchecked Sendable {
    // Unchecked: the list is protected by the lock.
    private let lock = NSLock()
    private var processes: [Process] = []

    func add(_ process: Process) {
        lock.withLock {
            processes.removeAll { !$0.isRunning }
            processes.append(process)
        }
    }

    /// Kills those that still run, so that none outlives its test.
    func end() {
        lock.withLock {
            for process in processes where process.isRunning {
                kill(process.processIdentifier, SIGKILL)
            }
        }
    }
}

/// Reads a pipe until its end on a thread of its own, so that no test blocks another.
final class Collector: @unchecked Sendable {
    // Unchecked: the bytes are protected by the lock.
    private let lock = NSLock()
    private var bytes = Data()
    private let (ended, end) = AsyncStream<Void>.makeStream()

    init(_ pipe: Pipe) {
        let handle = pipe.fileHandleForReading
        Thread.detachNewThread { [self] in
            while true {
                let more = handle.availableData
                if more.isEmpty { break }
                lock.withLock { bytes.append(more) }
            }
            try? handle.close()
            end.finish()
        }
    }

    var text: String { lock.withLock { String(decoding: bytes, as: UTF8.self) } }

    func wait() async { for await _ in ended {} }
}
