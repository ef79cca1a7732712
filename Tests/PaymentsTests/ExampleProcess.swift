import Foundation
import Glibc

/// A process of an example, which is next to the test program; its store is in a folder.
final class ExampleProcess: @unchecked Sendable {
    // Unchecked: a test uses it from one task.
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()

    /// Starts the example.
    init(_ name: String, in folder: URL, _ arguments: String...) throws {
        let program = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        process.executableURL = URL(fileURLWithPath: program).deletingLastPathComponent()
            .appendingPathComponent(name)
        process.arguments = arguments
        process.currentDirectoryURL = folder
        process.standardInput = input
        process.standardOutput = output
        try process.run()
    }

    /// Waits for its next line; returns `nil` at the end.
    func line() async -> String? {
        let reading = output.fileHandleForReading
        return await Task.detached {
            var said = Data()
            while said.last != UInt8(ascii: "\n") {
                // One byte at a time: what follows the line belongs to the next call.
                guard let byte = try? reading.read(upToCount: 1), !byte.isEmpty else { return nil }
                said += byte
            }
            return String(decoding: said.dropLast(), as: UTF8.self)
        }.value
    }

    /// Writes a line to the example.
    func say(_ line: String) throws {
        try input.fileHandleForWriting.write(contentsOf: Data((line + "\n").utf8))
    }

    /// Kills it with `SIGKILL`, as in a crash.
    func kill() {
        Glibc.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// Waits for its end; returns the status, and whether a signal ended it.
    func ended() async -> (status: Int32, wasKilled: Bool) {
        let process = process
        return await Task.detached {
            process.waitUntilExit()
            return (process.terminationStatus, process.terminationReason == .uncaughtSignal)
        }.value
    }
}
