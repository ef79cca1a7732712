internal import Adapters
internal import Glibc

/// A destination to which bytes are written in pieces.
protocol ByteSink: AnyObject {
    /// Writes bytes.
    func write(_ bytes: [UInt8]) throws(Failure)

    /// Writes what is buffered; nothing may be written afterwards.
    func finish() throws(Failure)
}

/// Writes lines of JSON to the standard output of a command, in chunks.
///
/// On a terminal, control characters are escaped and a note is printed, because the output then
/// differs from the bytes that were hashed.
final class OutputSink: ByteSink {
    private let invocation: Invocation
    private var waiting: [UInt8] = []
    private var isExact = true

    init(_ invocation: Invocation) { self.invocation = invocation }

    /// Writes whole lines.
    func write(_ bytes: [UInt8]) {
        waiting += bytes
        if waiting.count >= DescriptorSource.pieceBytes { flush() }
    }

    func finish() {
        flush()
        guard !isExact else { return }
        invocation.note(
            "note: control characters are shown as \\uXXXX; redirect the output to a file or "
                + "pipe to get the exact bytes"
        )
    }

    private func flush() {
        guard !waiting.isEmpty else { return }
        isExact = invocation.output.write(document: waiting, isJSON: true) && isExact
        waiting.removeAll(keepingCapacity: true)
    }
}

/// A file that an argument names for output.
///
/// A regular file is readable by its owner only, and written as a whole or not at all, replacing an
/// existing one; until it is finished it is a draft, which is deleted with this object. A link is
/// followed. Anything else, such as a device or a named pipe, is written to.
final class FileDraft: ByteSink {
    private let draft: DraftFile?
    private let descriptor: CInt
    private var waiting: [UInt8] = []

    init(_ path: String) throws(Failure) {
        let existing = FileFacts(path: path)
        if existing == nil ? FileFacts(link: path) != nil : existing?.size == nil {
            draft = nil
            descriptor = try Self.opened(path)
            return
        }
        let target = realpath(path, nil)
        defer { free(target) }
        guard let draft = DraftFile(for: target.map { String(cString: $0) } ?? path) else {
            throw FileBytes.unwritable()
        }
        self.draft = draft
        descriptor = draft.descriptor
    }

    deinit {
        if draft == nil { close(descriptor) }
    }

    /// Writes a whole file.
    static func write(_ bytes: [UInt8], to path: String) throws(Failure) {
        let file = try FileDraft(path)
        try file.write(bytes)
        try file.finish()
    }

    /// Opens what is not a regular file, or the missing target of a link.
    private static func opened(_ path: String) throws(Failure) -> CInt {
        while true {
            let descriptor = open(
                path,
                O_WRONLY | O_CREAT | O_NONBLOCK | O_NOCTTY | O_CLOEXEC,
                0o600
            )
            if descriptor >= 0 {
                _ = fcntl(descriptor, F_SETFL, 0)
                return descriptor
            }
            // A named pipe waits for its reader.
            guard errno == ENXIO || errno == EINTR, !Task.isCancelled else {
                throw FileBytes.unwritable()
            }
            usleep(100_000)
        }
    }

    func write(_ bytes: [UInt8]) throws(Failure) {
        waiting += bytes
        if waiting.count >= DescriptorSource.pieceBytes { try flush() }
    }

    func finish() throws(Failure) {
        try flush()
        guard draft?.replace() ?? true else { throw FileBytes.unwritable() }
    }

    private func flush() throws(Failure) {
        guard !waiting.isEmpty else { return }
        guard FileBytes.write(waiting, to: descriptor) else { throw FileBytes.unwritable() }
        waiting.removeAll(keepingCapacity: true)
    }
}
