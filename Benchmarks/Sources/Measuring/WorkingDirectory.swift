internal import Foundation

/// A directory for the files of one run, which is removed afterwards.
package struct WorkingDirectory: Sendable {
    /// The path.
    package let path: String

    /// Creates the directory in the system's temporary directory, or in `BENCH_DIRECTORY`.
    ///
    /// The disk below it is measured; a file system in memory would make the results meaningless.
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

    /// Creates a directory.
    package static func make(_ path: String) throws {
        try FileManager.default.createDirectory(
            atPath: path,
            withIntermediateDirectories: true
        )
    }

    /// Removes a row's directory.
    package func clear(_ name: String) {
        // A directory that cannot be removed only takes space until the end of the run.
        try? FileManager.default.removeItem(atPath: path + "/" + name)
    }

    /// Removes everything.
    package func remove() {
        // A directory that cannot be removed only takes space in the temporary directory.
        try? FileManager.default.removeItem(atPath: path)
    }
}
