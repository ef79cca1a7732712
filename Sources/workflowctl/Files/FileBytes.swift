internal import Adapters
internal import Glibc

/// Reads and writes small files of a command: whole, bounded, private.
enum FileBytes {
    /// The maximum size of a report's value or of a configuration: 1 MiB.
    static let valueLimit = 1 << 20

    /// Reads a file.
    ///
    /// `check` can refuse the file by its metadata, before it is read.
    static func read(
        _ path: String,
        limit: Int,
        check: (FileFacts) throws(Failure) -> Void = { _ in }
    ) throws(Failure) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw unopened() }
        defer { close(descriptor) }
        if let facts = FileFacts(descriptor: descriptor) { try check(facts) }
        return try read(descriptor, limit: limit)
    }

    /// Reads from a descriptor until the end.
    static func read(_ descriptor: Int32, limit: Int) throws(Failure) -> [UInt8] {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = chunk.withUnsafeMutableBytes {
                Glibc.read(descriptor, $0.baseAddress, $0.count)
            }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw unreadable() }
            if count == 0 { return bytes }
            bytes += chunk[..<count]
            guard bytes.count <= limit else {
                throw Failure(
                    .usage,
                    "file.too-large",
                    "the input has more than \(limit) bytes"
                )
            }
        }
    }

    /// Writes a file that only its owner can read, atomically, replacing an existing one.
    static func replace(_ path: String, with bytes: [UInt8]) throws(Failure) {
        guard let draft = DraftFile(for: path), write(bytes, to: draft.descriptor), draft.replace()
        else { throw unwritable() }
    }

    /// Writes all bytes to a descriptor; returns false when that fails, and `errno` is the reason.
    @discardableResult
    static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR || errno == EAGAIN { continue }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    /// Returns the failure to open a file; `errno` is the reason.
    static func unopened() -> Failure {
        let (code, words) = (errno, reason())
        return Failure(
            code == ENOENT || code == ENOTDIR ? .unknown : .unavailable,
            "file.unreadable",
            "the file cannot be opened: \(words)",
            hint: "check the path and its permissions"
        )
    }

    /// Returns the failure to read a file; `errno` is the reason.
    static func unreadable() -> Failure {
        Failure(.unavailable, "file.unreadable", "the file cannot be read: \(reason())")
    }

    /// Returns the failure to write a file; `errno` is the reason.
    static func unwritable() -> Failure {
        Failure(
            .unavailable,
            "file.unwritable",
            "the file cannot be written: \(reason())",
            hint: "check the path, its permissions and the free space"
        )
    }

    private static func reason() -> String {
        strerror(errno).map { String(cString: $0) } ?? "error \(errno)"
    }
}
