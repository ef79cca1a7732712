package import EventLog
package import SwedbankPay

/// One session's log in memory: its records, and the events in them.
package struct SessionLog: Sendable {
    package let session: SessionID
    /// The records in order.
    package let records: [StoredRecord]
    /// The events in them.
    package let events: [RecordedEvent]

    /// Decodes records.
    ///
    /// - Throws: ``LogDamage`` for the first record that cannot be read or has a wrong sequence
    ///   number.
    package init(_ session: SessionID, _ records: [StoredRecord]) throws(LogDamage) {
        var events: [RecordedEvent] = []
        events.reserveCapacity(records.count)
        for record in records {
            events.append(
                try Self.event(in: record, at: SequenceNumber(events.count).next, of: session)
            )
        }
        self.session = session
        self.records = records
        self.events = events
    }

    /// Decodes the event of a record that must have a given sequence number.
    ///
    /// - Throws: ``LogDamage`` when the record cannot be read or has a wrong sequence number.
    package static func event(
        in record: StoredRecord,
        at sequence: SequenceNumber,
        of session: SessionID
    ) throws(LogDamage) -> RecordedEvent {
        let event: RecordedEvent
        do throws(EventDecodingError) {
            event = try RecordReader.event(in: record)
        } catch {
            throw LogDamage(stream: session, sequence: sequence, kind: .unreadable(error))
        }
        guard event.sequence == sequence, event.stream == session else {
            throw LogDamage(
                stream: session,
                sequence: sequence,
                kind: .outOfSequence(found: event.sequence)
            )
        }
        return event
    }

    /// Verifies that no record up to a sequence number was altered, so that no event is shown that
    /// did not happen.
    ///
    /// - Throws: ``LogDamage`` for the first record that does not match its hash.
    package func checkSound(upTo end: SequenceNumber) throws(LogDamage) {
        var verifier = LogVerifier<SessionEvent>(stream: session)
        for record in records.prefix(end.count) { _ = try verifier.check(record) }
    }

    /// The number of events that this build does not know.
    package var unknownEvents: Int {
        events.count { if case .unknown = $0.event { true } else { false } }
    }

    /// Returns the fold of the events up to a sequence number.
    package func state(at sequence: SequenceNumber) -> SessionState {
        SessionState.folding(events.prefix(sequence.count), of: session)
    }

    /// The currency of a checkout's order, as it was opened; `nil` for another session.
    package var currency: String? { events.first?.event.orderCurrency }

    /// The fold of all events.
    package var state: SessionState { state(at: SequenceNumber(events.count)) }

    /// Returns the plaintexts of the sealed values that these keys can open.
    package func secrets(with keys: SessionKeys) -> SecretTable {
        var secrets = SecretTable()
        for record in records { secrets.merge(RecordReader.secrets(in: record, keys: keys)) }
        return secrets
    }
}

extension SessionEvent {
    /// The currency of the order that a checkout was opened for; `nil` for other events.
    package var orderCurrency: String? {
        guard case .checkout(.checkoutOpened(let opened)) = self else { return nil }
        return opened.terms.currency
    }
}

extension LogDamage {
    /// A short, stable code, for example `log.wrong-hash`.
    package var code: String { "log." + kind.word }
}

extension LogDamage.Kind {
    /// The kind of damage in one word.
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
        }
    }
}
