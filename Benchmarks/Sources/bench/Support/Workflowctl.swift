internal import Foundation
internal import Measuring

/// The command-line tool, in the same build as this program.
enum Workflowctl {
    /// Builds the tool next to this program, so that an older build is not measured.
    static func build() throws -> String {
        let own = URL(fileURLWithPath: ChildProcess.ownPath)
        let beside = own.deletingLastPathComponent().appending(path: "workflowctl").path
        // …/Benchmarks/.build/<triple>/release/bench
        var package = own
        for _ in 0..<4 { package.deleteLastPathComponent() }
        print("building workflowctl …")
        let build = Process()
        build.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        build.arguments = [
            "swift", "build", "-c", "release", "--package-path", package.path, "--product",
            "workflowctl",
        ]
        build.standardOutput = FileHandle.nullDevice
        try build.run()
        build.waitUntilExit()
        guard build.terminationStatus == 0,
            FileManager.default.isExecutableFile(atPath: beside)
        else {
            throw ChildProcess.Failure(description: "workflowctl could not be built")
        }
        return beside
    }

    /// Runs it, and throws unless it succeeds.
    static func run(_ program: String, _ arguments: [String]) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw ChildProcess.Failure(
                description: "workflowctl ended with status \(process.terminationStatus)"
            )
        }
    }

    /// Compresses the records of a store, and all that are appended after it was opened anew.
    static func compress(_ store: String) throws {
        try run(try build(), ["--store", store, "store", "compress", "--json"])
    }
}
