internal import Adapters
internal import EventLog
internal import Glibc
internal import SwedbankPay

/// Checkpoints in files.
enum CheckpointFile {
    /// The most bytes of a file that are read: as many as a line of a log may have.
    static let bytesLimit = CanonicalLimits.standard.lineBytes

    /// Reads a file, or standard input.
    ///
    /// - Throws: A failure when it is no checkpoint.
    static func read(
        _ path: String,
        in invocation: Invocation
    ) throws(Failure) -> CheckpointDocument {
        let bytes =
            path == "-"
            ? try invocation.readInput(bytesLimit)
            : try FileBytes.read(path, limit: bytesLimit)
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
    /// Where the newest checkpoint is kept beside the store.
    ///
    /// What the database itself loses with its newest records, for example when its write-ahead log is damaged, still stands
    /// there. Several databases may be asked from one directory: each has a file of its own.
    var checkpointFile: String {
        path + kind.database + ".checkpoint"
    }

    /// The checkpoint that is kept beside the store, if there is one.
    func checkpointBeside(in invocation: Invocation) throws(Failure) -> CheckpointDocument? {
        guard FileFacts(path: checkpointFile) != nil else { return nil }
        return try CheckpointFile.read(checkpointFile, in: invocation)
    }
}
