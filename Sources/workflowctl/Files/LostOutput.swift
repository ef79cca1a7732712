internal import Glibc
internal import Synchronization

/// Remembers that standard output could not be written, as on a full disk.
enum LostOutput {
    private static let code = Atomic<Int32>(0)

    /// Writes bytes to standard output, and remembers a failure.
    static func write(_ bytes: [UInt8]) {
        guard !FileBytes.write(bytes, to: STDOUT_FILENO) else { return }
        let reason = errno
        // A closed pipe or terminal is not an error.
        guard reason != EPIPE, reason != EIO else { return }
        code.store(reason, ordering: .relaxed)
    }

    /// Returns why output was lost; `nil` when none was.
    static var failure: Failure? {
        let reason = code.load(ordering: .relaxed)
        guard reason != 0 else { return nil }
        let words = strerror(reason).map { String(cString: $0) } ?? "error \(reason)"
        return Failure(
            .unavailable,
            "file.unwritable",
            "the output could not be written: \(words)",
            hint: "the output is incomplete; free some space and run the command again"
        )
    }
}
