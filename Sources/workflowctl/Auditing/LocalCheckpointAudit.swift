internal import Adapters
internal import EventLog
internal import Inspection

/// Compares a command's store with its checkpoints, also with what this machine has kept of them:
/// the checkpoint beside the store, and the keys that it has seen.
struct LocalCheckpointAudit {
    private let audit: CheckpointAudit
    /// The keys that this machine has seen; `nil` where the trusted keys were given.
    private let remembered: RememberedKeys?

    /// Creates an audit; with an empty list, the keys that this machine has seen are trusted.
    init(
        of reader: Reader,
        trusting trusted: [CheckpointKey],
        kept: [CheckpointAudit.Kept] = []
    ) throws(Failure) {
        remembered = trusted.isEmpty ? try RememberedKeys(of: reader.location) : nil
        var kept = kept
        if let beside = try reader.location.checkpointBeside() {
            kept.append(
                CheckpointAudit.Kept(name: "the checkpoint next to the store", document: beside)
            )
        }
        audit = CheckpointAudit(reader.store, trusting: remembered?.keys ?? trusted, kept: kept)
    }

    /// Performs all comparisons.
    ///
    /// - Throws: A failure when the store cannot be read.
    func run() async throws(Failure) -> CheckpointReport {
        var report: CheckpointReport
        do throws(EventStoreError) { report = try await audit.run() } catch {
            throw Failure(error)
        }
        remember(&report)
        return report
    }

    /// Reports checkpoints that have disappeared, and remembers the keys of a store's first ones.
    private func remember(_ report: inout CheckpointReport) {
        guard var remembered else { return }
        if let key = remembered.keys.last, report.signers.isEmpty {
            report.add(
                CheckpointFault(
                    kind: .listCut,
                    message:
                        "the store's checkpoints are missing: it had some, signed by key \(key.id)"
                )
            )
        }
        guard remembered.keys.isEmpty, report.first == nil else { return }
        // Without permission to write, nothing is remembered.
        for signer in report.signers { try? remembered.remember(signer.key) }
    }
}
