internal import Foundation
internal import Glibc

/// A helper process of a measurement.
package final class ChildProcess {
    /// It did not do what it should.
    package struct Failure: Error, CustomStringConvertible {
        package var description: String

        package init(description: String) { self.description = description }
    }

    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()

    /// Starts a program, which ends when its standard input ends, or with ``stop()``.
    package init(_ program: String, _ arguments: [String]) throws {
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        process.standardInput = input
        process.standardOutput = output
        try process.run()
    }

    /// Starts this program as a helper.
    package static func helper(_ arguments: [String]) throws -> ChildProcess {
        try ChildProcess(Self.ownPath, ["child"] + arguments)
    }

    /// The path of this program.
    package static var ownPath: String {
        (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
            ?? CommandLine.arguments[0]
    }

    /// The number of the process.
    package var id: Int32 { process.processIdentifier }

    /// Writes a line to its standard input.
    package func send(_ line: String) throws {
        try input.fileHandleForWriting.write(contentsOf: Data((line + "\n").utf8))
    }

    /// Returns the next line that it prints.
    package func line() throws -> String {
        var bytes: [UInt8] = []
        while let byte = try output.fileHandleForReading.read(upToCount: 1)?.first {
            if byte == UInt8(ascii: "\n") { return String(decoding: bytes, as: UTF8.self) }
            bytes.append(byte)
        }
        throw Failure(description: "a helper ended without a response")
    }

    /// Ends the process and waits for its end.
    package func stop() {
        // If it has already ended, its input cannot be closed any more.
        try? input.fileHandleForWriting.close()
        process.terminate()
        process.waitUntilExit()
    }

    /// Kills it.
    package func kill() {
        _ = Glibc.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// Waits for the end of the process.
    package func wait() -> Int32 {
        process.waitUntilExit()
        return process.terminationStatus
    }
}
