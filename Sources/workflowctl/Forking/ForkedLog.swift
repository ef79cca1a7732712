internal import Adapters
internal import Workflow

/// The beginning of a session's log as that of another session, which goes on at a sandbox.
///
/// It is a log of its own: another identity, another chain, times moved so that the last event is now. What was sealed stays
/// shut, since neither seals nor keys come along: no address, token or number of the original can be had from it, so
/// nothing done with it can reach the PSP of the original. Its first record says what it was forked from.
struct ForkedLog {
    /// The names of the notes that say what a log was forked from.
    static let (originName, placeName) = ("forkedFrom", "forkedAt")

    /// The session's identity.
    let session: SessionID
    /// The events, in order.
    let events: [RecordedEvent]

    /// Forks a log.
    ///
    /// - Parameters:
    ///   - log: The original.
    ///   - sequence: The last event that is copied.
    ///   - session: The identity that the fork has.
    ///   - address: The sandbox's address of the session that the fork goes on with.
    ///   - host: The host of that address.
    ///   - now: The time of the fork.
    ///   - person: Who forks.
    /// - Throws: A failure when the log cannot be forked there.
    init(
        of log: SessionLog,
        upTo sequence: Int64,
        as session: SessionID,
        onto address: Sealed,
        host: String,
        at now: Instant,
        by person: Operator
    ) throws(Failure) {
        try Self.check(log, upTo: sequence)
        guard case .opened(var opened)? = log.events.first?.event,
            let last = log.events.prefix(Int(sequence)).last
        else { throw Self.notNative }
        let copied = log.events.prefix(Int(sequence))
        opened.sessionURL = address
        opened.host = host
        opened.metadata[Self.originName] = "\(log.session)"
        opened.metadata[Self.placeName] = "\(sequence)"
        // A choice that was made beforehand may hold a number; it is not copied.
        if opened.preferences.contains(where: \.isPersonal) { opened.preferences = [] }
        let shift = now - last.at
        var events: [RecordedEvent] = copied.map { recorded in
            var moved = recorded
            moved.stream = session
            moved.at = recorded.at + shift
            if case .operationFailed(var failed) = recorded.event {
                failed.retryAt = failed.retryAt.map { $0 + shift }
                moved.event = .operationFailed(failed)
            }
            return moved
        }
        events[0].event = .opened(opened)
        let reason = "copied from session \(log.session) up to event \(sequence)"
        let ours: [SessionEvent] = [
            .operatorActed(OperatorActed(by: person.name, action: "fork", reason: reason)),
            // The next thing that is done is to read the session of the sandbox.
            .refetchRequested(RefetchRequested(by: person.name)),
        ]
        for event in ours {
            events.append(
                RecordedEvent(
                    stream: session,
                    sequence: Int64(events.count) + 1,
                    at: now,
                    event: event,
                    metadata: EventMetadata(
                        build: Build.version,
                        catalogue: last.metadata.catalogue,
                        cause: "command.fork",
                        node: "workflowctl"
                    )
                )
            )
        }
        (self.session, self.events) = (session, events)
    }

    /// Whether a log can be forked at a place.
    ///
    /// - Throws: A failure when it cannot.
    static func check(_ log: SessionLog, upTo sequence: Int64) throws(Failure) {
        guard log.state.checkout == nil, case .opened? = log.events.first?.event else {
            throw notNative
        }
        guard (1...Int64(log.events.count)).contains(sequence) else {
            throw .usage(
                "at",
                "the log has \(log.events.count) events",
                hint: "choose a place in it"
            )
        }
        guard log.state(at: sequence).outcome == nil else {
            throw .usage(
                "at",
                "the session is over at event \(sequence)",
                hint: "fork it earlier: 'workflowctl log ID' shows the places"
            )
        }
    }

    private static let notNative = Failure(
        .refused,
        "session.not-a-native-session",
        "only payment sessions can be forked, not checkouts",
        hint: "'workflowctl replay ID --what-if' asks what would have become of it"
    )

    /// The records, chained anew; of sealed values only the sandbox's address is beside them.
    func records(
        _ keys: SessionKeys,
        _ secrets: SecretTable
    ) throws(RecordWritingError) -> [StoredRecord] {
        var (head, records) = (StreamHead.empty, [StoredRecord]())
        for event in events {
            let record =
                event.sequence == 1
                ? try RecordWriter.record(
                    event,
                    after: head,
                    keys: keys,
                    secrets: secrets,
                    random: SystemRandom()
                )
                : try RecordWriter.unsealedRecord(event, after: head)
            head = StreamHead(sequence: record.sequence, hash: record.hash)
            records.append(record)
        }
        return records
    }
}

extension Preference {
    /// Whether it holds something of the payer's.
    fileprivate var isPersonal: Bool {
        if case .swish(.some) = self { return true }
        return false
    }
}
