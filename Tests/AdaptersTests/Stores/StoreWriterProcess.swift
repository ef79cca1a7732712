import Adapters
import EventLog
import Foundation
import SwedbankPay

/// The helper program `StoreWriter`, which is next to the test program.
final class StoreWriterProcess: @unchecked Sendable {
    // Unchecked: a test uses it from one task.
    private let process = Process()
    private let output = Pipe()
    private let input = Pipe()
    private var said = Data()

    /// The path of the helper: in the directory of the running test program.
    static var executable: URL {
        get throws {
            let program = try FileManager.default.destinationOfSymbolicLink(
                atPath: "/proc/self/exe"
            )
            return URL(fileURLWithPath: program).deletingLastPathComponent()
                .appendingPathComponent("StoreWriter")
        }
    }

    /// Starts the helper.
    init(_ arguments: String...) throws {
        process.executableURL = try Self.executable
        process.arguments = arguments
        process.standardOutput = output
        process.standardInput = input
        try process.run()
    }

    /// Reads until it has printed a number of lines, and returns them with any that followed.
    func lines(_ count: Int) -> [String] {
        while said.count(where: { $0 == UInt8(ascii: "\n") }) < count {
            let piece = output.fileHandleForReading.availableData
            if piece.isEmpty { break }
            said += piece
        }
        return takeLines()
    }

    /// Reads the remaining lines until its end.
    func rest() -> [String] {
        said += output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return takeLines()
    }

    /// Kills it with `SIGKILL`, as in a crash.
    func kill() { Glibc.kill(process.processIdentifier, SIGKILL) }

    /// Asks it to end.
    func closeInput() throws { try input.fileHandleForWriting.close() }

    /// Returns the whole lines read so far; a line that a kill cut off does not count.
    private func takeLines() -> [String] {
        let end = said.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? said.startIndex
        let lines = String(decoding: said[..<end], as: UTF8.self)
        said = Data(said[end...])
        return lines.split(separator: "\n").map(String.init)
    }

    /// Returns the session that the helper writes under a number.
    static func session(_ number: Int) -> SessionID {
        SessionID(at: Instant(microseconds: 1_000_000), random: (0, UInt64(number)))
    }
}
