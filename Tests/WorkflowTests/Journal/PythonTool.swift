import Foundation

/// Runs the tests' Python checkers on logs in a file.
enum PythonTool {
    /// The root of the repository.
    static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    /// Checks chain and sequence numbers with only the standard library.
    static func verifyChain(
        _ log: [UInt8],
        _ options: [String] = []
    ) throws -> (status: Int32, output: String) {
        try run("verify_chain.py", options, on: log)
    }

    /// Validates every line against the schemas.
    static func validate(_ log: [UInt8]) throws -> (status: Int32, output: String) {
        try run("validate_log.py", [root.appending(path: "Schemas").path()], on: log)
    }

    /// Reads a log of one session with a program that was written from the format's page alone, and
    /// verifies its MACs and seals with the data key.
    static func read(
        _ log: [UInt8],
        _ dataKey: [UInt8]
    ) throws -> (status: Int32, output: String) {
        let key = dataKey.map { String(format: "%02x", $0) }.joined()
        return try run("read_log.py", ["--data-key", key], on: log)
    }

    private static func run(
        _ tool: String,
        _ arguments: [String],
        on log: [UInt8]
    ) throws -> (status: Int32, output: String) {
        let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).ndjson")
        try Data(log).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        let script = root.appending(path: "Tests/Tools/\(tool)").path()
        process.arguments = ["python3", script] + arguments + [file.path()]
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: output, as: UTF8.self))
    }
}
