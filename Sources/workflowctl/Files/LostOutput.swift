internal import Glibc
internal import Synchronization

/// Standard output that could not be written, as on a full disk.
enum LostOutput {
    private static let code = Atomic<Int32>(0)

    /// Writes bytes to standard output and remembers when that failed.
    static func write(_ bytes: [UInt8]) {
        guard !FileBytes.write(bytes, to: STDOUT_FILENO) else { return }
        let reason = errno
        // A reader or a terminal that went away wants no more.
        guard reason != EPIPE, reason != EIO else { return }
        code.store(reason, ordering: .relaxed)
    }

    /// Why some of it was lost; nothing when nothing was.
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
