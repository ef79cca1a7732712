import Foundation
import Testing

/// The public declarations of the library products are those that were recorded.
@Suite struct APITests {
    @Test
    func `the public API matches the recorded one, and engine and facade stay within their limit`()
        throws
    {
        let (status, output) = try Self.check([])
        #expect(status == 0, "\(output)")
        #expect(output.contains("engine and facade have"))
    }

    @Test func `the API check lists each declaration that disappeared or changed`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        let recorded = Repository.root.appending(path: "Documentation/api")
        try FileManager.default.copyItem(at: recorded, to: folder)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "Payments.txt")
        var text = try String(contentsOf: file, encoding: .utf8)
        text += "Payment.vanished: var vanished: Bool { get }\n"
        text.replace(
            "Payment.retry(): func retry()",
            with: "Payment.retry(): func retry(_ times: Int)"
        )
        try text.write(to: file, atomically: true, encoding: .utf8)
        let (status, output) = try Self.check(["--recorded", folder.path])
        #expect(status == 1)
        #expect(output.contains("- Payment.vanished: var vanished: Bool { get }"))
        #expect(output.contains("- Payment.retry(): func retry(_ times: Int)"))
        #expect(output.contains("+ Payment.retry(): func retry()"))
        #expect(!output.contains("Payment.abort"))
    }

    private static func check(_ arguments: [String]) throws -> (status: Int32, output: String) {
        let process = Process()
        let pipe = Pipe()
        process.executableURL = Repository.root.appending(path: "scripts/check-api")
        process.arguments = arguments
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: output, as: UTF8.self))
    }
}
