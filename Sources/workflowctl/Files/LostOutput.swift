internal import Glibc
internal import Synchronization

/// Detects that standard output could not be written, for example because the disk is full.
enum LostOutput {
    private static let code = Atomic<Int32>(0)

    /// Writes bytes to standard output and remembers a failure.
    static func write(_ bytes: [UInt8]) {
        guard !FileBytes.write(bytes, to: STDOUT_FILENO) else { return }
        let reason = errno
        // A closed pipe or terminal is not a failure.
        guard reason != EPIPE, reason != EIO else { return }
        code.store(reason, ordering: .relaxed)
    }

    /// The failure of a write; `nil` when everything was written.
    static var failure: Failure? {
        let reason = code.load(ordering: .relaxed)
        guard reason != 0 else { return nil }
        let words = strerror(reason).map { String(cString: $0) } ?? "error \(reason)"
        return Failure(
            .unavailable,
            "file.unwritable",
            "the output could not be written: \(words)",
            hint: "what was written is cut; make room and do it again"
        )
    }
}
