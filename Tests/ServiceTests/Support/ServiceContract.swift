import Foundation
import HTTPTypes
import Synchronization
import Testing

@testable import Service

/// The published description of the service, in a validator process that runs as long as the tests
/// do.
final class ServiceContract: Sendable {
    static let shared = ServiceContract()

    static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    /// The document.
    static let path = root.appending(path: "Schemas/service.openapi.json").path

    private struct Validator: @unchecked Sendable {
        // Unchecked: used under the lock.
        let input: FileHandle
        let output: FileHandle
        let process: Process
    }

    private let validator = Mutex<Validator?>(nil)

    /// The paths of the document with their operations: method, path and the text of each.
    static func operations() throws -> [(method: String, path: String, text: String)] {
        let data = try Data(contentsOf: URL(filePath: path))
        let document = try JSONSerialization.jsonObject(with: data) as? [String: Any]
        let paths = try #require(document?["paths"] as? [String: [String: [String: Any]]])
        return paths.flatMap { path, methods in
            methods.map { ($0.key, path, $0.value["description"] as? String ?? "") }
        }
    }

    /// Returns what in an exchange violates the description; `nil` when nothing does.
    func misfit(
        _ request: HTTPRequest,
        _ path: String,
        _ asked: String,
        _ response: ServiceResponse,
        _ body: String
    ) throws -> String? {
        var headers: [String: String] = [:]
        for field in response.head.headerFields { headers[field.name.rawName] = field.value }
        let exchange: [String: Any] = [
            "method": request.method.rawValue,
            "path": String(path.split(separator: "?")[0]),
            "status": response.head.status.code, "headers": headers, "body": body,
            "request": asked.isEmpty ? "{}" : asked,
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
        return verdict == "ok" ? nil : verdict.isEmpty ? "no verdict" : verdict
    }

    private static func start() throws -> Validator {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [
            "python3", root.appending(path: "Tests/Tools/validate_openapi.py").path, path,
        ]
        let (input, output) = (Pipe(), Pipe())
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
