internal import Adapters
internal import EventLog
internal import Glibc
internal import Inspection
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

    /// Keeps the checkpoint beside the store under another name, because the store was restored
    /// from a backup and does not have what that checkpoint covers.
    ///
    /// The next checkpoint covers what the restored store has.
    ///
    /// - Parameter epoch: The epoch that the adoption began.
    /// - Returns: The new name.
    /// - Throws: A failure when the file could not be renamed.
    func retireCheckpoint(beginning epoch: Int64) throws(Failure) -> String {
        let name = formerCheckpointFile(before: epoch)
        guard rename(checkpointFile, name) == 0 else {
            throw Failure(
                .unavailable,
                "file.unwritable",
                "\(Screen.safe(checkpointFile)) could not be renamed: \(String(cString: strerror(errno)))",
                hint: "check the permissions of its directory, and run the command again"
            )
        }
        return name
    }

    /// The checkpoints that were kept when the store was adopted after a restore, oldest first.
    func formerCheckpoints(
        until epoch: Int64
    ) throws(Failure) -> [(name: String, document: CheckpointDocument)] {
        var former: [(name: String, document: CheckpointDocument)] = []
        guard epoch > 1 else { return [] }
        for number in 2...min(epoch, Self.mostEpochs) {
            let name = formerCheckpointFile(before: number)
            let bytes = try FileBytes.readBeside(name, limit: CheckpointFile.bytesLimit)
            if let bytes { former.append((name, try CheckpointFile.document(bytes))) }
        }
        return former
    }

    private func formerCheckpointFile(before epoch: Int64) -> String {
        "\(checkpointFile).before-epoch-\(epoch)"
    }

    /// The maximum number of epochs whose checkpoints are looked for.
    private static let mostEpochs: Int64 = 1_000
}
