internal import Adapters

/// Where bytes are written piece by piece.
protocol ByteSink: AnyObject {
    /// Takes bytes.
    func write(_ bytes: [UInt8]) throws(Failure)

    /// Writes what is left; nothing may be written afterwards.
    func finish() throws(Failure)
}

/// Lines of JSON on the standard output of a command, in pieces of some size.
///
/// On a terminal characters that could steer it are escaped, and a note says so: then these are not the bytes that were
/// hashed.
final class OutputSink: ByteSink {
    private let invocation: Invocation
    private var waiting: [UInt8] = []
    private var isExact = true

    init(_ invocation: Invocation) { self.invocation = invocation }

    /// Takes whole lines.
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

/// A file that is written for its owner alone, and is there as a whole or not at all; what was there before is replaced.
///
/// Until then it is a draft, which goes away with this object.
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
