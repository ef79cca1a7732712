internal import Foundation
internal import Glibc

/// Another process that helps with a measurement.
final class ChildProcess {
    /// It did not do what it was to do.
    struct Failure: Error, CustomStringConvertible {
        var description: String
    }

    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()

    /// Starts a program; it ends when its standard input does, or with ``stop()``.
    init(_ program: String, _ arguments: [String]) throws {
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        process.standardInput = input
        process.standardOutput = output
        try process.run()
    }

    /// This program as a helper.
    static func helper(_ arguments: [String]) throws -> ChildProcess {
        try ChildProcess(Self.ownPath, ["child"] + arguments)
    }

    /// Where this program is.
    static var ownPath: String {
        (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
            ?? CommandLine.arguments[0]
    }

    /// The next line that it prints.
    func line() throws -> String {
        var bytes: [UInt8] = []
        while let byte = try output.fileHandleForReading.read(upToCount: 1)?.first {
            if byte == UInt8(ascii: "\n") { return String(decoding: bytes, as: UTF8.self) }
            bytes.append(byte)
        }
        throw Failure(description: "a helper ended without an answer")
    }

    /// Ends it and waits for its end.
    func stop() {
        // It may have ended already, then its input can't be closed any more.
        try? input.fileHandleForWriting.close()
        process.terminate()
        process.waitUntilExit()
    }

    /// Kills it without any warning.
    func kill() {
        _ = Glibc.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// Waits for its end.
    func wait() -> Int32 {
        process.waitUntilExit()
        return process.terminationStatus
    }
}
