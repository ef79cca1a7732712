package import EventLog
package import Inspection

/// Compares a store with its checkpoints, and with checkpoints that were kept elsewhere.
///
/// The roots are recomputed from the leaves, so each checkpoint's list must begin with that of the
/// one before; each leaf is compared with the record in the store. The hash chain, which is
/// verified separately, shows whether a record has the content of its hash, and covers the records
/// before it.
package struct CheckpointAudit: Sendable {
    /// A checkpoint that was kept elsewhere.
    package struct Kept: Sendable {
        /// The name of its file.
        package var name: String
        /// The checkpoint itself.
        package var document: CheckpointDocument

        /// Creates a checkpoint that was kept under a name.
        package init(name: String, document: CheckpointDocument) {
            (self.name, self.document) = (name, document)
        }
    }

    /// The store.
    private let store: any CheckpointStore
    /// The keys that may have signed; an empty list allows any key.
    private let trusted: [CheckpointKey]
    /// The checkpoints that were kept elsewhere.
    private let kept: [Kept]

    /// The number of rows read at once.
    static let batch = 2000

    /// Creates an audit.
    ///
    /// - Parameters:
    ///   - store: The store.
    ///   - trusted: The keys that may have signed; any key may when this is empty.
    ///   - kept: The checkpoints that were kept elsewhere.
    package init(
        _ store: any CheckpointStore,
        trusting trusted: [CheckpointKey] = [],
        kept: [Kept] = []
    ) {
        self.store = store
        self.trusted = trusted
        self.kept = kept
    }

    /// Performs all comparisons.
    ///
    /// - Throws: ``EventStoreError`` when the store cannot be read; damage is a contradiction.
    package func run() async throws(EventStoreError) -> CheckpointReport {
        var report = CheckpointReport()
        for file in kept { report.add(Self.fault(of: file, trusting: trusted)) }
        do throws(EventStoreError) {
            try await compare(into: &report)
        } catch {
            guard case .corrupt(_, _, let reason) = error else { throw error }
            report.add(
                CheckpointFault(kind: .unreadable, message: "the store is damaged: \(reason)")
            )
        }
        return report
    }

    /// Compares the leaves of one session, and returns the contradiction of the oldest leaf.
    ///
    /// For a session that was removed, it returns that of the newest leaf, which is the most
    /// specific.
    ///
    /// - Throws: ``EventStoreError`` when the store cannot be read; damage is a contradiction.
    package func fault(
        of session: SessionID
    ) async throws(EventStoreError) -> CheckpointFault? {
        do throws(EventStoreError) {
            var (place, fault) = (Int.max, CheckpointFault?.none)
            while let leaf = try await store.newestLeaf(of: session, below: place) {
                fault = CheckpointFault(leaf) ?? fault
                if fault?.kind == .sessionRemoved { break }
                place = leaf.place
            }
            return fault
        } catch {
            guard case .corrupt(_, _, let reason) = error else { throw error }
            return CheckpointFault(kind: .unreadable, message: "the store is damaged: \(reason)")
        }
    }

    /// Returns what is wrong with a file by itself.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - trusted: The keys that may have signed; any key may when this is empty.
    /// - Returns: The first contradiction; `nil` when the file is sound.
    package static func fault(
        of file: Kept,
        trusting trusted: [CheckpointKey]
    ) -> CheckpointFault? {
        let signed = file.document.signed
        if let fault = CheckpointFault(signed, of: file.name, trusting: trusted) { return fault }
        let what: String
        switch file.document.fault {
        case nil, .signature: return nil
        case .consistency: what = "does not prove that it extends the earlier one"
        case .inclusion: what = "does not prove that it covers the session"
        case .leaves: what = "has leaves that do not match its root"
        }
        return CheckpointFault(
            kind: .wrongProof,
            session: file.document.fault == .inclusion ? file.document.inclusion?.leaf.stream : nil,
            size: signed.checkpoint.size,
            message: "\(file.name) \(what): the proof was altered"
        )
    }

    private func compare(into report: inout CheckpointReport) async throws(EventStoreError) {
        let stored = try await store.allCheckpoints()
        let end = stored.last?.checkpoint.size ?? 0
        // What is expected at each size, smallest first.
        var steps: [(size: Int, step: Step)] =
            stored.map { ($0.checkpoint.size, .stored($0)) }
            + kept.map { ($0.document.signed.checkpoint.size, .kept($0)) }
        steps.sort { $0.size < $1.size }
        var (frontier, next) = (MerkleFrontier(), 0)
        var firstLeaf: PlacedLeaf?
        reading: while frontier.count < end {
            let limit = min(Self.batch, end - frontier.count)
            let leaves = try await store.checkpointLeaves(from: frontier.count, limit: limit)
            if leaves.isEmpty { break }
            for placed in leaves {
                guard placed.place == frontier.count else { break reading }
                frontier.append(placed.leaf.treeHash)
                report.leaves += 1
                if let fault = CheckpointFault(placed) {
                    if report.contradicted == 0, report.first == nil { firstLeaf = placed }
                    report.contradicted += 1
                    report.add(fault)
                }
                while next < steps.count, steps[next].size <= frontier.count {
                    check(steps[next].step, at: frontier, into: &report)
                    next += 1
                }
            }
        }
        if frontier.count == end { try await findStrays(after: end, into: &report) }
        for (size, step) in steps[next...] { missing(step, size, frontier.count, into: &report) }
        if let firstLeaf {
            report.soundSequence = try await soundSequence(before: firstLeaf)
        }
    }

    private enum Step {
        case stored(SignedCheckpoint)
        case kept(Kept)
    }

    /// Checks a checkpoint against the leaves that it covers.
    private func check(
        _ step: Step,
        at frontier: MerkleFrontier,
        into report: inout CheckpointReport
    ) {
        switch step {
        case .stored(let signed):
            let size = signed.checkpoint.size
            report.addSigner(signed.publicKey)
            var fault = CheckpointFault(
                signed,
                of: "the store's checkpoint of size \(size)",
                trusting: trusted
            )
            if size != frontier.count || signed.checkpoint.root != frontier.root {
                fault =
                    fault
                    ?? CheckpointFault(
                        kind: .wrongRoot,
                        size: size,
                        message: "the store's leaves do not match the root of its checkpoint of "
                            + "size \(size): they were altered"
                    )
            }
            report.add(fault)
            if fault == nil { report.checkpoints += 1 }
            if report.first == nil { report.newest = signed }
        case .kept(let file):
            report.kept += 1
            let checkpoint = file.document.signed.checkpoint
            guard checkpoint.size != frontier.count || checkpoint.root != frontier.root else {
                return
            }
            report.add(
                CheckpointFault(
                    kind: .listRewritten,
                    size: checkpoint.size,
                    message:
                        "the store contradicts \(file.name): the first \(checkpoint.size) leaves "
                        + "of its list are not the ones that the checkpoint from "
                        + "\(checkpoint.at) covers"
                )
            )
        }
    }

    /// Records a checkpoint that covers more leaves than there are.
    private func missing(
        _ step: Step,
        _ size: Int,
        _ count: Int,
        into report: inout CheckpointReport
    ) {
        switch step {
        case .stored:
            report.add(
                CheckpointFault(
                    kind: .wrongLeaves,
                    size: size,
                    message: "leaves are missing: the store's checkpoint of size \(size) covers "
                        + "more than \(count)"
                )
            )
        case .kept(let file):
            report.kept += 1
            report.add(
                CheckpointFault(
                    kind: .listCut,
                    size: size,
                    message: "the store has lost leaves that \(file.name) covers: that "
                        + "checkpoint, from \(file.document.signed.checkpoint.at), has \(size) "
                        + "leaves, but the store's list has only \(count)"
                )
            )
        }
    }

    /// Finds leaves that no checkpoint covers, which remain when the row of the newest checkpoint
    /// was removed.
    private func findStrays(
        after end: Int,
        into report: inout CheckpointReport
    ) async throws(EventStoreError) {
        let hasStrays = try await !store.checkpointLeaves(from: end, limit: 1).isEmpty
        // Another process may have created a checkpoint, with its leaves, since the others were
        // read.
        guard hasStrays,
            try await store.newestCheckpoint()?.signed.checkpoint.size ?? 0 == end
        else { return }
        report.add(
            CheckpointFault(
                kind: .wrongLeaves,
                size: end,
                message:
                    "the store has leaves after its latest checkpoint: a checkpoint was removed"
            )
        )
    }

    /// Returns the last record of a session that an earlier leaf confirms and the store contains.
    private func soundSequence(
        before leaf: PlacedLeaf
    ) async throws(EventStoreError) -> SequenceNumber? {
        let session = leaf.leaf.stream
        var place = leaf.place
        while let earlier = try await store.newestLeaf(of: session, below: place) {
            if earlier.found == .same { return earlier.leaf.sequence }
            place = earlier.place
        }
        return nil
    }
}
