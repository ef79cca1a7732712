internal import Foundation

/// A directory for the files of one run, removed after it.
package struct WorkingDirectory: Sendable {
    package let path: String

    /// Creates it below the system's temporary directory, or below `BENCH_DIRECTORY`.
    ///
    /// The disk below is what is measured: a directory in memory would measure nothing.
    package init() throws {
        let base =
            ProcessInfo.processInfo.environment["BENCH_DIRECTORY"] ?? NSTemporaryDirectory()
        let url = URL(fileURLWithPath: base).appending(path: "payment-bench-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        path = url.path
    }

    /// Creates a directory for a row.
    package func directory(_ name: String) throws -> String {
        let directory = path + "/" + name
        try Self.make(directory)
        return directory
    }

    package static func make(_ path: String) throws {
        try FileManager.default.createDirectory(
            atPath: path,
            withIntermediateDirectories: true
        )
    }

    /// Removes a row's directory.
    package func clear(_ name: String) {
        // If it remains, it only takes up space until the end of the run.
        try? FileManager.default.removeItem(atPath: path + "/" + name)
    }

    /// Removes everything.
    package func remove() {
        // If it remains, it only takes up space in the temporary directory.
        try? FileManager.default.removeItem(atPath: path)
    }
}
