import Foundation

@testable import Sandbox

/// The curl program, which distinguishes a reset from an orderly close.
enum Curl {
    /// Posts a JSON body; curl's exit code 56 means that receiving failed.
    static func post(_ url: String, _ body: JSON) async throws -> (exitCode: Int32, text: String) {
        try await withCheckedThrowingContinuation { caller in
            // Without blocking the threads that the sandbox needs.
            Thread.detachNewThread { caller.resume(with: Result { try run(url, body) }) }
        }
    }

    private static func run(_ url: String, _ body: JSON) throws -> (exitCode: Int32, text: String) {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/curl")
        process.arguments = [
            "--silent", "--show-error", "--max-time", "10", "--header",
            "Content-Type: application/json", "--data",
            String(decoding: body.bytes, as: UTF8.self), url,
        ]
        process.standardError = output
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        let text = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: text, as: UTF8.self))
    }
}
