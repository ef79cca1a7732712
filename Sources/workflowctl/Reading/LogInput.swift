internal import Adapters
internal import Glibc
internal import SwedbankPay

/// The source of a log: a file or standard input, compressed or not.
struct LogInput {
    /// The decompressed bytes.
    let source: any ByteSource
    /// The bytes of the file itself, for the progress.
    private let raw: DescriptorSource?

    /// The maximum number of bytes read from standard input when it cannot be streamed: 1 GiB.
    static let inputLimit = 1 << 30

    /// Opens a log: a file, or `-` for standard input.
    static func open(_ path: String, in invocation: Invocation) throws(Failure) -> LogInput {
        guard path == "-" else {
            let raw = try opened(path)
            return LogInput(source: try unfolded(raw, form: CompressedForm(path: path)), raw: raw)
        }
        guard let descriptor = invocation.inputDescriptor else {
            let bytes = try invocation.readInput(inputLimit)
            return LogInput(source: try unfolded(BufferedSource([bytes]), form: nil), raw: nil)
        }
        try FileBytes.refuseEndless(descriptor)
        let raw = DescriptorSource(descriptor)
        return LogInput(source: try unfolded(raw, form: nil), raw: raw)
    }

    private static func opened(_ path: String) throws(Failure) -> DescriptorSource {
        do throws(Failure) {
            return try DescriptorSource(path: path)
        } catch {
            // A user may take the reference of an order for the session's name.
            guard error.status == .unknown, !path.unicodeScalars.contains("/") else { throw error }
            throw Failure(
                error.status,
                error.code,
                "invalid session id, and " + error.message,
                hint:
                    "check the path, or run 'workflowctl find TEXT' to find a session by its reference"
            )
        }
    }

    /// Returns the number of bytes that were read, and the size of the file, when it is known.
    var progress: (done: Int64, of: Int64)? {
        guard let raw, let size = raw.size, size > 0 else { return nil }
        return (min(raw.count, size), size)
    }

    /// Returns the decompressed content of a source.
    ///
    /// `form` is what a file must be by its name; with `nil`, the first bytes decide, since
    /// standard input has no name.
    static func unfolded(
        _ bytes: any ByteSource,
        form: CompressedForm?
    ) throws(Failure) -> any ByteSource {
        if let form { return try form.reading(bytes) }
        var beginning: [UInt8] = []
        while beginning.count < 4, let more = try bytes.next() { beginning += more }
        let whole = BufferedSource([beginning], before: bytes)
        for form in CompressedForm.allCases where beginning.starts(with: form.magic) {
            return try form.reading(whole)
        }
        return whole
    }
}

/// A log that is read more than once: a file, or a nameless copy of standard input that only its
/// owner can read.
final class RepeatableInput {
    private let descriptor: Int32
    private let form: CompressedForm?

    /// Opens a log: a file, or `-` for standard input.
    init(_ path: String, in invocation: Invocation) throws(Failure) {
        form = path == "-" ? nil : CompressedForm(path: path)
        descriptor =
            path == "-" ? try Self.copyOfInput(in: invocation) : try FileBytes.opened(path)
    }

    deinit { close(descriptor) }

    /// The decompressed bytes from the beginning; only one reader at a time.
    func source() throws(Failure) -> any ByteSource {
        guard lseek(descriptor, 0, SEEK_SET) == 0 else {
            throw Failure(
                .usage,
                "file.unreadable",
                "the file must be readable twice, so that it can be verified first",
                hint: "use standard input instead: 'workflowctl import - < FILE'"
            )
        }
        return try LogInput.unfolded(DescriptorSource(descriptor), form: form)
    }

    private static func copyOfInput(in invocation: Invocation) throws(Failure) -> Int32 {
        let folder = invocation.environment["TMPDIR"].nonEmpty ?? "/tmp"
        // mkstemp(3) replaces the six letters with an unpredictable name, and creates the file for
        // its owner only.
        var name = Array("\(folder)/workflowctl.XXXXXX".utf8CString)
        let copy = mkstemp(&name)
        guard copy >= 0 else { throw FileBytes.unwritable() }
        unlink(name)
        do throws(Failure) {
            try copyInput(to: copy, in: invocation)
            return copy
        } catch {
            close(copy)
            throw error
        }
    }

    private static func copyInput(
        to copy: Int32,
        in invocation: Invocation
    ) throws(Failure) {
        guard let descriptor = invocation.inputDescriptor else {
            let bytes = try invocation.readInput(LogInput.inputLimit)
            guard FileBytes.write(bytes, to: copy) else { throw FileBytes.unwritable() }
            return
        }
        try FileBytes.refuseEndless(descriptor)
        let input = DescriptorSource(descriptor)
        while let piece = try input.next() {
            guard FileBytes.write(piece, to: copy) else { throw FileBytes.unwritable() }
        }
    }
}
