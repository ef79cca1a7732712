internal import Adapters
internal import EventLog
internal import Glibc
internal import SwedbankPay

/// Reads checkpoints from files.
enum CheckpointFile {
    /// The maximum size of a file, which is that of a line of a log.
    static let bytesLimit = CanonicalLimits.standard.lineBytes

    /// Reads a file, or standard input.
    ///
    /// - Throws: A failure when the content is not a checkpoint.
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
                "the file is no checkpoint: \(error)",
                hint:
                    "a checkpoint is one JSON object, as 'workflowctl checkpoint export' writes it"
            )
        }
    }
}

extension StoreLocation {
    /// Returns the path of the newest checkpoint beside the store.
    ///
    /// When the database loses its newest records, for example because its write-ahead log is
    /// damaged, the checkpoint still exists there. Each database has a file of its own, so that
    /// several can be audited from one directory.
    var checkpointFile: String {
        path + kind.database + ".checkpoint"
    }

    /// Reads the checkpoint that is kept beside the store, if there is one.
    func checkpointBeside(in invocation: Invocation) throws(Failure) -> CheckpointDocument? {
        guard FileFacts(path: checkpointFile) != nil else { return nil }
        return try CheckpointFile.read(checkpointFile, in: invocation)
    }
}
