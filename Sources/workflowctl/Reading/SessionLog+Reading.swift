internal import Adapters
internal import EventLog
internal import Inspection
internal import SwedbankPay
internal import Workflow

extension SessionLog {
    /// Decodes records.
    ///
    /// - Throws: A failure with the first record that cannot be decoded or is out of sequence.
    static func decoding(
        _ session: SessionID,
        _ records: [StoredRecord]
    ) throws(Failure) -> SessionLog {
        do {
            return try SessionLog(session, records)
        } catch {
            throw Failure(error)
        }
    }

    /// Refuses a record that cannot be decoded or is out of sequence.
    static func require(
        _ record: StoredRecord,
        at sequence: SequenceNumber,
        of session: SessionID
    ) throws(Failure) {
        do {
            _ = try event(in: record, at: sequence, of: session)
        } catch {
            throw Failure(error)
        }
    }

    /// Reads a session's log from a store.
    static func read(
        _ session: SessionID,
        from store: any PersistentStore
    ) async throws(Failure) -> SessionLog {
        do {
            return try await store.log(of: session)
        } catch {
            throw Failure(error)
        }
    }

    /// Reads a session's records from a store.
    static func records(
        of session: SessionID,
        in store: any PersistentStore
    ) async throws(Failure) -> [StoredRecord] {
        do {
            return try await store.allRecords(of: session)
        } catch {
            throw Failure(error)
        }
    }

    /// Refuses a log that was altered at or before a sequence number.
    func requireSound(upTo end: SequenceNumber) throws(Failure) {
        do {
            try checkSound(upTo: end)
        } catch {
            throw Failure(error)
        }
    }
}

extension Failure {
    /// Translates the failure to read a log for the command line.
    init(_ error: LogReadingError) {
        switch error {
        case .unknownSession(let session): self.init(EngineError.unknownSession(session))
        case .damaged(let damage): self.init(damage)
        case .store(let error): self.init(error)
        }
    }

    /// Returns the failure for a damaged log, with the first invalid record.
    init(_ damage: LogDamage) {
        self.init(
            .damaged,
            damage.code,
            damage.description,
            hint: "the records before it are valid; compare the log with a backup"
        )
    }
}
