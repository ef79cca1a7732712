internal import Adapters
internal import EventLog
internal import SwedbankPay
internal import Workflow

/// One session's log in memory: the records, and the events in them.
struct SessionLog: Sendable {
    /// The session.
    let session: SessionID
    /// The records in order.
    let records: [StoredRecord]
    /// The events in them.
    let events: [RecordedEvent]

    /// How many records are read at once.
    static let batch = 1024

    /// Decodes records.
    ///
    /// - Throws: A failure with the first record that does not read or is not at its place.
    init(_ session: SessionID, _ records: [StoredRecord]) throws(Failure) {
        var events: [RecordedEvent] = []
        events.reserveCapacity(records.count)
        for record in records {
            let event = try Self.require(record, at: Int64(events.count) + 1, of: session)
            events.append(event)
        }
        self.session = session
        self.records = records
        self.events = events
    }

    /// The event of a record that has to be at a place.
    ///
    /// - Throws: A failure when the record does not read or is not at its place.
    @discardableResult
    static func require(
        _ record: StoredRecord,
        at sequence: Int64,
        of session: SessionID
    ) throws(Failure) -> RecordedEvent {
        let event: RecordedEvent
        do throws(EventDecodingError) {
            event = try RecordReader.event(in: record)
        } catch {
            throw Failure(
                LogDamage(stream: session, sequence: sequence, kind: .unreadable(error))
            )
        }
        do throws(LogDamage) {
            try record.checkMasks(of: SessionEvent.self)
        } catch {
            throw Failure(error)
        }
        guard event.sequence == sequence, event.stream == session else {
            throw Failure(
                LogDamage(
                    stream: session,
                    sequence: sequence,
                    kind: .outOfSequence(found: event.sequence)
                )
            )
        }
        return event
    }

    /// Reads a session's log from a store.
    static func read(
        _ session: SessionID,
        from store: any PaymentStore
    ) async throws(Failure) -> SessionLog {
        let records = try await records(of: session, in: store)
        guard !records.isEmpty else { throw Failure(EngineError.unknownSession(session)) }
        return try SessionLog(session, records)
    }

    /// Reads a session's records from a store.
    static func records(
        of session: SessionID,
        in store: any PaymentStore
    ) async throws(Failure) -> [StoredRecord] {
        var records: [StoredRecord] = []
        while true {
            do {
                let more = try await store.read(
                    session,
                    from: Int64(records.count) + 1,
                    limit: batch
                )
                records += more
                if more.count < batch { return records }
            } catch {
                throw Failure(error)
            }
        }
    }

    /// Refuses a log of which anything up to a place was altered: nobody should be shown what did not happen.
    ///
    /// - Throws: A failure with the first record that is not what its hash says.
    func requireSound(upTo end: Int64) throws(Failure) {
        var verifier = LogVerifier<SessionEvent>(stream: session)
        for record in records.prefix(Int(clamping: end)) {
            do throws(LogDamage) {
                _ = try verifier.check(record)
            } catch {
                throw Failure(error)
            }
        }
    }

    /// How many of the events this build does not know.
    var unknownEvents: Int {
        events.count { if case .unknown = $0.event { true } else { false } }
    }

    /// The fold of the first so many events.
    func state(at sequence: Int64) -> SessionState {
        SessionState.folding(events.prefix(Int(clamping: sequence)), of: session)
    }

    /// The fold of all events.
    var state: SessionState { state(at: Int64(events.count)) }

    /// The plaintexts of the sealed values, as far as these keys open them.
    func secrets(with keys: SessionKeys) -> SecretTable {
        var secrets = SecretTable()
        for record in records { secrets.merge(RecordReader.secrets(in: record, keys: keys)) }
        return secrets
    }
}

extension Failure {
    /// A damaged log, with the first bad record.
    init(_ damage: LogDamage) {
        self.init(
            .damaged,
            "log." + damage.kind.word,
            damage.description,
            hint: "what stands before that record is sound; compare with a copy of the log"
        )
    }
}

extension LogDamage.Kind {
    /// The kind in one word.
    var word: String {
        switch self {
        case .unreadable: "unreadable"
        case .notCanonical: "not-canonical"
        case .outOfSequence: "out-of-sequence"
        case .foreignStream: "foreign-stream"
        case .wrongPrevious: "wrong-previous"
        case .wrongHash: "wrong-hash"
        case .timeWentBack: "time-went-back"
        case .contradicted: "contradicted"
        case .wrongSeals: "wrong-seals"
        case .wrongMask: "wrong-mask"
        }
    }
}
