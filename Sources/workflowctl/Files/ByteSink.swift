internal import Adapters

/// A destination to which bytes are written in pieces.
protocol ByteSink: AnyObject {
    /// Writes bytes.
    func write(_ bytes: [UInt8]) throws(Failure)

    /// Writes what is buffered; nothing may be written afterwards.
    func finish() throws(Failure)
}

/// Writes lines of JSON to the standard output of a command, in chunks.
///
/// On a terminal, characters that could control it are escaped, and a note says so, since these are
/// not the bytes that were hashed.
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

/// A file that only its owner can read, and that is written as a whole or not at all, replacing an
/// existing one.
///
/// Until it is finished it is a draft, which is deleted with this object.
final class FileDraft: ByteSink {
    private let draft: DraftFile
    private var waiting: [UInt8] = []

    init(_ path: String) throws(Failure) {
        guard let draft = DraftFile(for: path) else { throw FileBytes.unwritable() }
        self.draft = draft
    }

    func write(_ bytes: [UInt8]) throws(Failure) {
        waiting += bytes
        if waiting.count >= DescriptorSource.pieceBytes { try flush() }
    }

    func finish() throws(Failure) {
        try flush()
        guard draft.replace() else { throw FileBytes.unwritable() }
    }

    private func flush() throws(Failure) {
        guard !waiting.isEmpty else { return }
        guard FileBytes.write(waiting, to: draft.descriptor) else { throw FileBytes.unwritable() }
        waiting.removeAll(keepingCapacity: true)
    }
}
