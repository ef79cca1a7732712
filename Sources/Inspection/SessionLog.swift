package import EventLog
package import SwedbankPay

/// One session's log in memory: the records, and the events in them.
package struct SessionLog: Sendable {
    /// The session.
    package let session: SessionID
    /// The records in order.
    package let records: [StoredRecord]
    /// The events in them.
    package let events: [RecordedEvent]

    /// Decodes records.
    ///
    /// - Throws: The first record that does not read or is not at its place.
    package init(_ session: SessionID, _ records: [StoredRecord]) throws(LogDamage) {
        var events: [RecordedEvent] = []
        events.reserveCapacity(records.count)
        for record in records {
            events.append(try Self.event(in: record, at: Int64(events.count) + 1, of: session))
        }
        self.session = session
        self.records = records
        self.events = events
    }

    /// The event of a record that has to be at a place.
    ///
    /// - Throws: When the record does not read or is not at its place.
    package static func event(
        in record: StoredRecord,
        at sequence: Int64,
        of session: SessionID
    ) throws(LogDamage) -> RecordedEvent {
        let event: RecordedEvent
        do throws(EventDecodingError) {
            event = try RecordReader.event(in: record)
        } catch {
            throw LogDamage(stream: session, sequence: sequence, kind: .unreadable(error))
        }
        try record.checkMasks(of: SessionEvent.self)
        guard event.sequence == sequence, event.stream == session else {
            throw LogDamage(
                stream: session,
                sequence: sequence,
                kind: .outOfSequence(found: event.sequence)
            )
        }
        return event
    }

    /// Checks that nothing up to a place was altered: nobody should be shown what did not happen.
    ///
    /// - Throws: The first record that is not what its hash says.
    package func checkSound(upTo end: Int64) throws(LogDamage) {
        var verifier = LogVerifier<SessionEvent>(stream: session)
        for record in records.prefix(Int(clamping: end)) { _ = try verifier.check(record) }
    }

    /// The places of records in which text was masked.
    package var masked: Set<Int64> { Set(records.lazy.filter(\.isMasked).map(\.sequence)) }

    /// How many of the events this build does not know.
    package var unknownEvents: Int {
        events.count { if case .unknown = $0.event { true } else { false } }
    }

    /// The fold of the first so many events.
    package func state(at sequence: Int64) -> SessionState {
        SessionState.folding(events.prefix(Int(clamping: sequence)), of: session)
    }

    /// The fold of all events.
    package var state: SessionState { state(at: Int64(events.count)) }

    /// The plaintexts of the sealed values, as far as these keys open them.
    package func secrets(with keys: SessionKeys) -> SecretTable {
        var secrets = SecretTable()
        for record in records { secrets.merge(RecordReader.secrets(in: record, keys: keys)) }
        return secrets
    }
}

extension LogDamage.Kind {
    /// The kind in one word.
    package var word: String {
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
