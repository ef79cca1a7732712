import Foundation
import Testing

/// What was published or released keeps its form.
@Suite struct StoredFormTests {
    /// The golden logs and the sums of their bytes; a log is added, never edited.
    private static let frozen = [
        "before-version-1.ndjson":
            "e2f2a9aac9c5b886c7465237a99ccbdb23652b13ddd72696f1359102b7285e0d",
        "every-event.ndjson": "9a5b7aa3d1b09bbb7b9c931cb3db9407a9d6f22997a4926cf024be5e3e0336af",
    ]

    @Test func `a golden log is never edited`() throws {
        for (name, sum) in Self.frozen {
            #expect(try Self.sum(of: "Tests/Fixtures/Logs/\(name)") == sum, "\(name)")
        }
        let logs = Repository.files(below: "Tests/Fixtures/Logs", endingIn: ".ndjson")
        #expect(Set(logs.map(\.name)) == Set(Self.frozen.keys), "freeze a log that is added")
    }

    @Test func `every type of event has its schema, and every schema its type`() throws {
        let source = try Repository.file("Sources/Workflow/Journal/Codec/EventType.swift")
        let types = source.lines.compactMap { line -> String? in
            let words = line.split(separator: " ")
            return words.count == 2 && words.first == "case" ? words.last.map(String.init) : nil
        }
        #expect(types.count > 30)
        let parts: Set = ["parts", "sealed"]
        let schemas = Repository.files(below: "Schemas/events", endingIn: ".schema.json")
            .map { $0.name.trimmingSuffix(".schema.json") }
        #expect(Set(schemas).subtracting(parts) == Set(types))
        let record = try Repository.file("Schemas/record.schema.json").text
        #expect(types.filter { !record.contains("\"\($0)\"") } == [])
    }

    /// SHA-256 by the system's own tool.
    private static func sum(of path: String) throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/sha256sum")
        process.arguments = [Repository.root.appendingPathComponent(path).path]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let bytes = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return String(decoding: bytes.prefix(64), as: UTF8.self)
    }
}
