import Foundation
import Testing

extension PostgreSQLTests {
    /// The commands of the tutorial on two nodes, on an initially empty database.
    @Suite(.serialized, .fewAtATime) struct TutorialTests {
        @Test func `the commands of the tutorial about two nodes print what the page shows`()
            async throws
        {
            let root = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
                .deletingLastPathComponent().deletingLastPathComponent()
                .deletingLastPathComponent()
            let programs = URL(fileURLWithPath: Program.path).deletingLastPathComponent().path
            let database = try Cluster.shared.get().makeDatabase()
            let output = try await Task.detached {
                let process = Process()
                let pipe = Pipe()
                process.executableURL = root.appending(path: "scripts/run-tutorial")
                process.arguments = [root.appending(path: "Documentation/two-nodes.md").path]
                process.environment = [
                    "PATH": programs + ":" + (ProcessInfo.processInfo.environment["PATH"] ?? ""),
                    "WORKFLOWCTL_STORE": database.url(),
                ]
                process.standardInput = FileHandle.nullDevice
                process.standardOutput = pipe
                process.standardError = pipe
                try process.run()
                let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
                process.waitUntilExit()
                return String(decoding: output, as: UTF8.self)
            }.value
            #expect(output.contains("as the page says"), "\(output)")
        }
    }
}
