internal import Adapters
internal import EventLog
internal import Inspection
internal import SwedbankPay

extension Verification {
    /// Compares a command's store with its checkpoints, including those kept beside the store.
    ///
    /// Only the environment names the trusted keys. With a `session`, only that session is
    /// compared; with `nil`, the whole store.
    mutating func addCheckpoints(
        of reader: Reader,
        session: SessionID? = nil
    ) async throws(Failure) {
        let keys = try CheckpointTrust.keys(environment: reader.invocation.environment)
        if let session {
            let audit = CheckpointAudit(reader.store, trusting: keys)
            let fault: CheckpointFault?
            do throws(EventStoreError) { fault = try await audit.fault(of: session) } catch {
                throw Failure(error)
            }
            guard let fault else { return }
            return add(
                fault,
                stillTrue: fault.kind == .sessionRemoved
                    ? "the checkpoint, which has the hash of its last record" : nil
            )
        }
        let report: CheckpointReport
        do throws(Failure) {
            report = try await LocalCheckpointAudit(of: reader, trusting: keys).run()
        } catch {
            // Only what is kept beside the store is damaged; the store itself may be sound.
            guard error.status == .damaged else { throw error }
            let fault = CheckpointFault(
                kind: .unreadable,
                message: "the checkpoint next to the store cannot be read"
            )
            return add(fault, stillTrue: nil)
        }
        checkpoints = report.checkpoints
        for fault in report.faults { add(fault, stillTrue: report.stillTrue) }
        try await Self.nameFormerCheckpoints(of: reader)
    }

    /// Says what a restored store has lost according to the checkpoints from before its adoption.
    private static func nameFormerCheckpoints(of reader: Reader) async throws(Failure) {
        let lineage: StoreLineage
        do throws(EventStoreError) { lineage = try await reader.store.lineage() } catch {
            // A role that only reads may not see it.
            return
        }
        let former = try reader.location.formerCheckpoints(until: lineage.identity.epoch)
        for (name, document) in former {
            let checkpoint = document.signed.checkpoint
            reader.invocation.note(
                "note: this store was restored and adopted: the checkpoint of \(checkpoint.size) "
                    + "log ends from \(checkpoint.at), kept in \(Screen.safe(name)), covers records "
                    + "that it no longer has"
            )
        }
    }

    private mutating func add(_ fault: CheckpointFault, stillTrue: String?) {
        let isKnown = fault.session.map { session in faults.contains { $0.session == session } }
        // A session that is not in the store has not been counted yet.
        if isKnown == false, fault.kind != .sessionRemoved { damaged += 1 }
        add(
            Fault(
                session: fault.session,
                sequence: fault.sequence,
                family: "checkpoint",
                kind: fault.kind.rawValue,
                message: fault.message,
                stillTrue: stillTrue
            )
        )
    }
}
