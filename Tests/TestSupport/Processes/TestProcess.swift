internal import Foundation
internal import Glibc
internal import Synchronization

/// A process of a program that is built beside the tests, or of one of the system.
///
/// Its output goes to files without a name, so that no kill loses any and nothing is left behind.
public final class TestProcess: @unchecked Sendable {
    // Unchecked: the process object is only asked after its start, and its end is behind the task.
    private let process = Process()
    private let status: Task<Int32, Never>
    private let output: FileHandle
    private let errors: FileHandle
    private let lines: Pipe?
    /// How much of the output was returned as lines.
    private let place = Mutex(0)

    /// The program is not there.
    public struct Missing: Error {
        /// Where it was expected.
        public var path: String
    }

    /// What a process reads from its standard input.
    public enum Input: Sendable {
        case text(String)
        /// What is said to it while it runs.
        case lines
    }

    /// How a process ended, and its output.
    public struct Ending: Sendable {
        /// The exit code; 128 plus the number of the signal that ended it.
        public var status: Int32
        /// What it wrote to the standard output.
        public var output: String
        /// What it wrote to the standard error.
        public var words: String
        /// Whether it was killed because it exceeded its time limit.
        public var ranOut = false

        /// Whether the process was killed.
        public var wasKilled: Bool { status == 128 + SIGKILL }

        /// The JSON document on standard output.
        public var json: Any? { try? JSONSerialization.jsonObject(with: Data(output.utf8)) }
    }

    /// Starts a program.
    ///
    /// - Parameters:
    ///   - program: The name of one beside the tests, or the path of another.
    ///   - arguments: Its arguments.
    ///   - folder: Its working directory.
    ///   - environment: Its variables, beside ``inherited``.
    ///   - input: Its standard input.
    /// - Throws: An error when the program is missing or cannot be started.
    public init(
        _ program: String,
        _ arguments: [String] = [],
        in folder: String,
        environment: [String: String] = [:],
        input: Input = .text("")
    ) throws {
        let path = Self.path(of: program)
        guard FileManager.default.isExecutableFile(atPath: path) else { throw Missing(path: path) }
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        process.currentDirectoryURL = URL(fileURLWithPath: folder)
        process.environment = environment.merging(Self.inherited) { first, _ in first }
        (output, errors) = (try Self.file(), try Self.file())
        process.standardOutput = output
        process.standardError = errors
        switch input {
        case .text(let text):
            lines = nil
            process.standardInput = try Self.file(holding: text)
        case .lines:
            lines = Pipe()
            process.standardInput = lines
        }
        let (ended, end) = AsyncStream<Int32>.makeStream()
        process.terminationHandler = {
            let isSignal = $0.terminationReason == .uncaughtSignal
            end.yield(isSignal ? 128 + $0.terminationStatus : $0.terminationStatus)
            end.finish()
        }
        status = Task { await ended.first { _ in true } ?? -1 }
        try process.run()
    }

    /// Returns a file without a name.
    private static func file(holding text: String = "") throws -> FileHandle {
        let path = NSTemporaryDirectory() + "child-\(UUID().uuidString)"
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        defer { unlink(path) }
        return try FileHandle(forUpdating: URL(fileURLWithPath: path))
    }

    /// Returns what a process has written to a file, without moving to where it writes next.
    private static func text(of file: FileHandle, from start: Int = 0) -> String {
        var (bytes, buffer) = ([UInt8](), [UInt8](repeating: 0, count: 65_536))
        while true {
            let next = off_t(start + bytes.count)
            let count = pread(file.fileDescriptor, &buffer, buffer.count, next)
            guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
            bytes += buffer.prefix(count)
        }
    }

    /// The number of the process.
    public var id: Int32 { process.processIdentifier }

    /// Whether it runs.
    public var isRunning: Bool { process.isRunning }

    /// The output so far.
    public var outputSoFar: String { Self.text(of: output) }

    /// What it wrote to the standard error so far.
    public var wordsSoFar: String { Self.text(of: errors) }

    /// Waits for its next line; returns `nil` at the end.
    public func line() async -> String? {
        while true {
            // Asked first: what it wrote until its end is in the file then.
            let isRunning = isRunning
            let line = place.withLock { place -> String? in
                let text = Self.text(of: output, from: place)
                guard let end = text.firstIndex(of: "\n") else { return nil }
                place += text[...end].utf8.count
                return String(text[..<end])
            }
            if line != nil || !isRunning { return line }
            try? await Task.sleep(for: .milliseconds(5))
        }
    }

    /// Writes a line to its standard input.
    public func say(_ line: String) throws {
        try lines?.fileHandleForWriting.write(contentsOf: Data((line + "\n").utf8))
    }

    /// Ends its standard input.
    public func closeInput() throws { try lines?.fileHandleForWriting.close() }

    /// Kills it, as in a crash.
    public func kill() { kill(SIGKILL) }

    /// Sends it a signal.
    public func kill(_ signal: Int32) {
        if process.isRunning { Glibc.kill(process.processIdentifier, signal) }
    }

    /// Kills it, even if others wait for its end, and returns when it has ended.
    public func end() async {
        kill()
        _ = await status.value
    }

    /// Waits for the end of the process.
    public func ending() async -> Ending {
        let status = await status.value
        return Ending(
            status: status,
            output: outputSoFar,
            words: Self.text(of: errors)
        )
    }

    /// Waits for its end, and kills it after a while.
    public func ending(killedAfter limit: Duration) async -> Ending {
        let timer = Task {
            // Cancelled when the process ended by itself.
            guard (try? await Task.sleep(for: limit)) != nil, isRunning else { return false }
            kill()
            return true
        }
        var ending = await ending()
        timer.cancel()
        ending.ranOut = await timer.value && ending.wasKilled
        return ending
    }

    /// The variables of every program: the path, a locale, and the options of a sanitizer.
    public static let inherited = {
        var environment = ProcessInfo.processInfo.environment.filter { name, _ in
            name == "PATH" || name.hasSuffix("SAN_OPTIONS")
        }
        environment["LANG"] = "C.UTF-8"
        return environment
    }()

    /// Returns the path of a program that is built beside the tests, or of one of the system.
    public static func path(of program: String) -> String {
        guard !program.hasPrefix("/") else { return program }
        let tests =
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        var folder = URL(fileURLWithPath: tests).deletingLastPathComponent()
        while folder.path != "/" {
            let candidate = folder.appendingPathComponent(program).path
            if FileManager.default.isExecutableFile(atPath: candidate) { return candidate }
            folder.deleteLastPathComponent()
        }
        return program
    }
}
