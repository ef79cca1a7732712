import Foundation
import TestSupport
import Testing

/// The public declarations of the library products are those that were recorded.
@Suite(.feature("S-31")) struct APITests {
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

    @Test(.enabled(if: newestTag != nil, "no version is tagged in a Git repository here"))
    func `no public declaration of the newest version was removed or changed`() throws {
        let tag = try #require(Self.newestTag)
        let (status, output) = try Self.check(["--since", tag])
        #expect(status == 0, "\(output)")
    }

    @Test func `the API check lists each declaration that was removed since a version`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        for path in ["Documentation/api", "Package.swift", "scripts/check-api", Self.library] {
            let copy = folder.appending(path: path)
            try FileManager.default.createDirectory(
                at: copy.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
            try FileManager.default.copyItem(at: Repository.root.appending(path: path), to: copy)
        }
        let made = try Self.run(["sh", "-c", Self.tagging], in: folder)
        try #require(made.status == 0, "\(made.output)")
        let check = ["python3", "scripts/check-api", "--since"]
        let same = try Self.run(check + ["v1"], in: folder)
        #expect(same.status == 0, "\(same.output)")
        #expect(same.output == "no declaration of v1 was removed or changed\n")

        let file = folder.appending(path: "Documentation/api/Payments.txt")
        let text = try String(contentsOf: file, encoding: .utf8)
        let removed = text.prefix { $0 != "\n" }
        let rest = text.dropFirst(removed.count + 1)
        try Data(rest.utf8).write(to: file)
        let less = try Self.run(check + ["v1"], in: folder)
        #expect(less.status == 1, "\(less.output)")
        #expect(less.output.contains("- \(removed)\n"), "\(less.output)")
        let none = try Self.run(check + ["v2"], in: folder)
        #expect(none.status == 1 && none.output.contains("there is no version v2"))
    }

    /// What `scripts/check-api` imports.
    private static let library = "scripts/symbol_graphs.py"

    /// Commits everything in the folder, and tags it, whatever the user's configuration is.
    private static let tagging = """
        export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null
        git init --quiet && git add . \\
            && git -c user.name=Test -c user.email=test@example.com commit --quiet --message=v1 \\
            && git tag v1
        """

    /// The newest tag in the history of this repository; `nil` when there is none.
    private static let newestTag: String? = {
        let command = ["git", "describe", "--tags", "--abbrev=0"]
        guard let (status, output) = try? run(command), status == 0 else { return nil }
        return output.trimmingCharacters(in: .whitespacesAndNewlines)
    }()

    private static func check(_ arguments: [String]) throws -> (status: Int32, output: String) {
        try run([Repository.root.appending(path: "scripts/check-api").path] + arguments)
    }

    /// Runs a command; a Git hook that runs the tests does not determine the repository.
    private static func run(
        _ command: [String],
        in folder: URL = Repository.root
    ) throws -> (status: Int32, output: String) {
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = command
        process.currentDirectoryURL = folder
        let inherited = ProcessInfo.processInfo.environment
        process.environment = inherited.filter { !$0.key.hasPrefix("GIT_") }
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: output, as: UTF8.self))
    }
}
