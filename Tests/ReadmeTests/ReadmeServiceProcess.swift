import Foundation
import Glibc

/// The README's service in a process of its own, which stands beside the test program.
final class ReadmeServiceProcess: @unchecked Sendable {
    // Unchecked: a test uses it from one task.
    private let process = Process()
    private let output = Pipe()

    /// Starts it; see its `main.swift`.
    init(_ arguments: String...) throws {
        let program = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        process.executableURL = URL(fileURLWithPath: program).deletingLastPathComponent()
            .appendingPathComponent("ReadmeService")
        process.arguments = arguments
        process.standardOutput = output
        try process.run()
    }

    /// Waits for its next line.
    func line() async -> String? {
        let reading = output.fileHandleForReading
        return await Task.detached {
            var said = Data()
            while said.last != UInt8(ascii: "\n") {
                let piece = reading.availableData
                if piece.isEmpty { return nil }
                said += piece
            }
            return String(decoding: said.dropLast(), as: UTF8.self)
        }.value
    }

    /// Ends it as a crash would: `SIGKILL`.
    func kill() {
        Glibc.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }
}
