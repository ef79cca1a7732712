internal import Adapters
internal import EventLog
internal import Inspection
internal import SwedbankPay

/// Compares an exported log with checkpoints and proofs, where there is no store.
struct LogAgainstCheckpoints {
    private let kept: [CheckpointAudit.Kept]
    private let trusted: [CheckpointKey]

    /// Creates a comparison with files; an empty list of keys trusts any key.
    init(_ kept: [CheckpointAudit.Kept], trusting trusted: [CheckpointKey]) {
        (self.kept, self.trusted) = (kept, trusted)
    }

    /// Checks the files and the log by themselves, and compares the end of each session that the
    /// files cover with the log.
    ///
    /// - Throws: A failure when the log is damaged, or when the files say nothing about it.
    func compare(_ log: String, in invocation: Invocation) throws(Failure) -> CheckpointReport {
        var report = CheckpointReport()
        for file in kept {
            report.kept += 1
            let fault = CheckpointAudit.fault(of: file, trusting: trusted)
            report.add(fault)
            guard fault == nil else { continue }
            report.addSigner(file.document.signed.publicKey)
            let size = file.document.signed.checkpoint.size
            if report.newest.map({ $0.checkpoint.size < size }) ?? true {
                report.newest = file.document.signed
            }
        }
        var leaves: [SessionID: [CheckpointLeaf]] = [:]
        let proved = kept.compactMap(\.document.inclusion?.leaf)
        for leaf in kept.flatMap({ $0.document.leaves ?? [] }) + proved {
            leaves[leaf.stream, default: []].append(leaf)
        }
        let ends = try read(log, for: leaves, in: invocation)
        for (session, leaves) in leaves.sorted(by: { $0.key < $1.key }) {
            // A list covers a whole store, the log perhaps one session of it.
            guard ends.lengths[session] != nil || proved.contains(where: { $0.stream == session })
            else { continue }
            for leaf in leaves {
                report.leaves += 1
                guard let fault = fault(of: leaf, ends) else { continue }
                report.contradicted += 1
                report.add(fault)
            }
        }
        guard report.first != nil || report.leaves > 0 else {
            throw .usage(
                "log",
                "no file says anything about a session of the log",
                hint: "'workflowctl checkpoint prove SESSION' makes the proof of a session"
            )
        }
        return report
    }

    /// The records of a log that checkpoints may cover.
    private struct Ends {
        /// The last sequence number of each session.
        var lengths: [SessionID: SequenceNumber] = [:]
        /// The hash of each record whose place is covered.
        var hashes: [SessionID: [SequenceNumber: Digest256]] = [:]
    }

    private func read(
        _ log: String,
        for leaves: [SessionID: [CheckpointLeaf]],
        in invocation: Invocation
    ) throws(Failure) -> Ends {
        var lines = LogReader(try LogInput.open(log, in: invocation).source)
        var (check, ends) = (FileVerification(), Ends())
        while let entry = try lines.next() {
            let record = check.verify(entry)
            if let fault = check.verification.first { throw fault.failure }
            guard let record else { continue }
            ends.lengths[record.stream] = record.sequence
            guard leaves[record.stream]?.contains(where: { $0.sequence == record.sequence }) == true
            else { continue }
            ends.hashes[record.stream, default: [:]][record.sequence] = record.hash
        }
        return ends
    }

    private func fault(of leaf: CheckpointLeaf, _ ends: Ends) -> CheckpointFault? {
        let (session, sequence) = (leaf.stream, leaf.sequence)
        guard let length = ends.lengths[session] else {
            return CheckpointFault(
                kind: .sessionRemoved,
                session: session,
                message: "session \(session) is not in the log"
            )
        }
        guard let hash = ends.hashes[session]?[sequence] else {
            return CheckpointFault(
                kind: .tailCut,
                session: session,
                sequence: sequence,
                message: "the log of session \(session) ends at record \(length), "
                    + "but the checkpoint covers record \(sequence)"
            )
        }
        guard hash != leaf.hash else { return nil }
        return CheckpointFault(
            kind: .historyRewritten,
            session: session,
            sequence: sequence,
            message: "record \(sequence) of session \(session) has another hash than the one "
                + "that the checkpoint covers"
        )
    }
}
