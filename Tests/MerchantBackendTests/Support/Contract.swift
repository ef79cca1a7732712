import Foundation
import HTTPTypes
import MerchantBackend
import Testing

/// The checked-in OpenAPI document, in a validator process that runs as long as the tests do.
final class Contract: Sendable {
    static let shared = Contract()

    static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    private struct Validator {
        let input: FileHandle
        let output: FileHandle
        let process: Process
    }

    private let validator = Locked<Validator?>(nil)

    /// Returns what violates the contract in an exchange; `nil` when nothing does.
    func misfit(
        _ request: HTTPRequest,
        path: String,
        asked: String,
        _ response: BackendResponse
    ) throws -> String? {
        var headers: [String: String] = [:]
        for field in response.head.headerFields { headers[field.name.rawName] = field.value }
        let exchange: [String: Any] = [
            "method": request.method.rawValue, "path": path,
            "status": response.head.status.code, "headers": headers,
            "body": String(decoding: response.body, as: UTF8.self), "request": asked,
        ]
        let line = try JSONSerialization.data(withJSONObject: exchange)
        let verdict = try validator.withLock { validator in
            let running = try validator ?? Self.start()
            validator = running
            running.input.write(line + Data("\n".utf8))
            var verdict: [UInt8] = []
            while let byte = try running.output.read(upToCount: 1)?.first, byte != 0x0A {
                verdict.append(byte)
            }
            return String(decoding: verdict, as: UTF8.self)
        }
        return verdict == "ok" ? nil : "\(verdict.isEmpty ? "no verdict" : verdict)"
    }

    private static func start() throws -> Validator {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [
            "python3", root.appending(path: "Tests/Tools/validate_openapi.py").path,
            root.appending(path: "Schemas/merchant-backend.openapi.json").path,
        ]
        let input = Pipe()
        let output = Pipe()
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        return Validator(
            input: input.fileHandleForWriting,
            output: output.fileHandleForReading,
            process: process
        )
    }
}
