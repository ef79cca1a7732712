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
        let descriptor = try opened(path)
        defer { close(descriptor) }
        if let facts = FileFacts(descriptor: descriptor) { try check(facts) }
        return try read(descriptor, limit: limit)
    }

    /// Reads a file that belongs to a store; `nil` when there is none.
    static func readBeside(_ path: String, limit: Int) throws(Failure) -> [UInt8]? {
        let descriptor: CInt
        do throws(CompanionFile.Refusal) {
            descriptor = try CompanionFile.open(path, O_RDONLY)
        } catch {
            if error == .missing { return nil }
            throw Failure(
                .unavailable,
                "file.unreadable",
                "the file \(path) \(error.words)",
                hint: "find out who put it there, and remove it"
            )
        }
        defer { close(descriptor) }
        return try read(descriptor, limit: limit)
    }

    /// Opens a file that an argument names: a file, a pipe, or a terminal.
    static func opened(_ path: String) throws(Failure) -> CInt {
        // A named pipe that nobody writes to would keep the thread.
        let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
        guard descriptor >= 0 else { throw unopened() }
        do throws(Failure) {
            try refuseEndless(descriptor)
            return descriptor
        } catch {
            close(descriptor)
            throw error
        }
    }

    /// Refuses devices and files of the kernel, which may have no end.
    static func refuseEndless(_ descriptor: CInt) throws(Failure) {
        guard let hasEnd = FileFacts.hasEnd(descriptor) else { throw unreadable() }
        guard hasEnd else {
            throw Failure(
                .unavailable,
                "file.unreadable",
                "the file cannot be read: it is a folder, a device or a file of the kernel",
                hint: "name a file, or - for standard input"
            )
        }
    }

    /// Waits until a pipe or a terminal has something to read, or has ended.
    ///
    /// - Throws: A failure when the command is interrupted first.
    static func wait(for descriptor: CInt) throws(Failure) {
        var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        while true {
            let count = poll(&waiting, 1, 100)
            if count > 0 || (count < 0 && errno != EINTR) { return }
            if Task.isCancelled {
                throw Failure(.interrupted, "file.unreadable", "reading was interrupted")
            }
        }
    }

    /// Reads from a descriptor until the end.
    static func read(_ descriptor: Int32, limit: Int) throws(Failure) -> [UInt8] {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            try wait(for: descriptor)
            let count = chunk.withUnsafeMutableBytes {
                Glibc.read(descriptor, $0.baseAddress, $0.count)
            }
            if count < 0, errno == EINTR || errno == EAGAIN { continue }
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

    /// Writes a file that belongs to a store and that only its owner can read, atomically,
    /// replacing an existing one.
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
