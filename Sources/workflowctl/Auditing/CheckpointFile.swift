internal import Adapters
internal import EventLog
internal import Glibc
internal import SwedbankPay

/// Reads and writes checkpoints in files.
enum CheckpointFile {
    /// The maximum size of a file, in bytes: that of one line of a log.
    static let bytesLimit = CanonicalLimits.standard.lineBytes

    /// Reads a file, or standard input.
    ///
    /// - Throws: A failure when it is not a checkpoint.
    static func read(
        _ path: String,
        in invocation: Invocation
    ) throws(Failure) -> CheckpointDocument {
        let bytes =
            path == "-"
            ? try invocation.readInput(bytesLimit)
            : try FileBytes.read(path, limit: bytesLimit)
        return try document(bytes)
    }

    /// Parses the content of a file.
    fileprivate static func document(_ bytes: [UInt8]) throws(Failure) -> CheckpointDocument {
        do {
            return try CheckpointDocument(parsing: bytes)
        } catch {
            throw Failure(
                .damaged,
                "checkpoint.unreadable",
                "the file is not a checkpoint: \(error)",
                hint:
                    "use a file that 'workflowctl checkpoint export' or 'checkpoint prove' wrote"
            )
        }
    }
}

extension StoreLocation {
    /// The path of the newest checkpoint, kept beside the store.
    ///
    /// It preserves what the database itself loses with its newest records, for example when its
    /// write-ahead log is damaged. Several databases may be used from one directory: each has its
    /// own file.
    var checkpointFile: String {
        path + kind.database + ".checkpoint"
    }

    /// Reads the checkpoint that is kept beside the store, if there is one.
    func checkpointBeside() throws(Failure) -> CheckpointDocument? {
        guard
            let bytes = try FileBytes.readBeside(checkpointFile, limit: CheckpointFile.bytesLimit)
        else { return nil }
        return try CheckpointFile.document(bytes)
    }
}
