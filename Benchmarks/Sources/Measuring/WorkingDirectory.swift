internal import Foundation

/// A directory for the files of one run, gone after it.
package struct WorkingDirectory: Sendable {
    /// Where it is.
    package let path: String

    /// Makes it below the system's temporary directory, or below `BENCH_DIRECTORY`.
    ///
    /// What is measured is the disk below: a directory in memory would measure nothing.
    package init() throws {
        let base =
            ProcessInfo.processInfo.environment["BENCH_DIRECTORY"] ?? NSTemporaryDirectory()
        let url = URL(fileURLWithPath: base).appending(path: "payment-bench-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        path = url.path
    }

    /// A directory of its own for a row.
    package func directory(_ name: String) throws -> String {
        let directory = path + "/" + name
        try Self.make(directory)
        return directory
    }

    /// Makes a directory.
    package static func make(_ path: String) throws {
        try FileManager.default.createDirectory(
            atPath: path,
            withIntermediateDirectories: true
        )
    }

    /// Removes a row's directory.
    package func clear(_ name: String) {
        // Left behind it only takes room until the end of the run.
        try? FileManager.default.removeItem(atPath: path + "/" + name)
    }

    /// Removes everything.
    package func remove() {
        // Left behind it only takes room in the temporary directory.
        try? FileManager.default.removeItem(atPath: path)
    }
}
