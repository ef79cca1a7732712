internal import Adapters
internal import Workflow

/// Checks the logs of a store, and that the list of sessions says the same as the logs.
struct StoreVerification {
    private let reader: Reader

    init(_ reader: Reader) { self.reader = reader }

    /// Checks the whole store.
    func verifyAll() async throws(Failure) -> Verification {
        var verification = Verification()
        do {
            for fault in try await reader.store.structuralFaults(limit: 10) {
                verification.add(
                    .init(kind: "structure", message: "the store is damaged: \(fault)")
                )
            }
        } catch {
            throw Failure(error)
        }
        for row in try await reader.store.allSessions() {
            try await verify(row, into: &verification)
        }
        return verification
    }

    /// Checks one session.
    func verify(_ session: SessionID) async throws(Failure) -> Verification {
        var verification = Verification()
        guard let row = try await reader.store.row(of: session) else {
            throw Failure(EngineError.unknownSession(session))
        }
        try await verify(row, into: &verification)
        return verification
    }

    private func verify(
        _ row: SessionSummary,
        into verification: inout Verification
    ) async throws(Failure) {
        let records: [StoredRecord]
        do throws(Failure) {
            records = try await SessionLog.records(of: row.session, in: reader.store)
        } catch {
            guard error.status == .damaged else { throw error }
            verification.add(
                .init(session: row.session, kind: "unreadable", message: error.message)
            )
            return
        }
        verification.add(records, of: row.session)
        guard verification.first == nil else { return }
        let head = Int64(records.count)
        guard head == row.lastSequence else {
            let place = min(head, row.lastSequence) + 1
            verification.add(
                .init(
                    session: row.session,
                    sequence: place,
                    kind: "missing-records",
                    message: "record \(place) of session \(row.session) is missing: the list of "
                        + "sessions says that there are \(row.lastSequence) records, not \(head)"
                )
            )
            return
        }
        let log = try SessionLog(row.session, records)
        var expected = reader.decider.summary(of: log.state)
        expected.addressFingerprint = row.addressFingerprint
        // Where a session stands is a matter of rules, which another build may have otherwise, and when something is
        // due one of configured limits; facts are not.
        if log.events.last?.metadata.build != Build.version {
            if expected.outcome == nil, row.phase != .ended { expected.phase = row.phase }
            expected.isSettled = row.isSettled
        }
        expected.dueAt = row.dueAt
        guard expected == row else {
            verification.add(
                .init(
                    session: row.session,
                    sequence: head,
                    kind: "projection",
                    message: "the list of sessions says of session \(row.session) what its log "
                        + "does not say"
                )
            )
            return
        }
    }
}
