internal import Adapters
internal import EventLog
internal import Inspection
internal import SwedbankPay

/// The beginning of a session's log as the log of another session, which continues at a sandbox.
///
/// The fork has its own identifier and chain, and its times are shifted so that the last event is
/// now. Sealed values stay closed, since neither seals nor keys are copied: no address, token or
/// number of the original can be obtained from it, so nothing done with it can reach the original's
/// PSP. Addresses with which a session continues are replaced by the sandbox's, sealed with the
/// fork's keys. The first record names the original.
struct ForkedLog {
    /// The names of the notes that identify the original and the sequence number of the fork.
    static let (originName, placeName) = (OperatorActed.forkOrigin, "forkedAt")

    /// The session's identifier.
    let session: SessionID
    /// The events in order.
    private(set) var events: [RecordedEvent] = []
    /// The sequence numbers of events whose sealed values are the sandbox's.
    private var sealedPlaces: Set<SequenceNumber> = []

    /// Forks a log at a sequence number that ``ForkPlace`` allows.
    ///
    /// - Parameters:
    ///   - log: The original.
    ///   - sequence: The last event that is copied.
    ///   - session: The identifier of the fork.
    ///   - sandbox: The sandbox's values that replace the original's.
    ///   - now: The time of the fork.
    ///   - person: Who forks.
    ///   - decider: The rules with which the fork continues.
    init(
        of log: SessionLog,
        upTo sequence: SequenceNumber,
        as session: SessionID,
        onto sandbox: Substitution,
        at now: Instant,
        by person: Operator,
        under decider: SessionDecider
    ) {
        self.session = session
        let copied = log.events.prefix(sequence.count)
        let shift = now - (copied.last?.at ?? now)
        let notes = [Self.originName: "\(log.session)", Self.placeName: "\(sequence)"]
        var substitution = sandbox
        for recorded in copied {
            var moved = recorded
            moved.stream = session
            moved.at = recorded.at + shift
            if let replaced = substitution.replace(in: recorded.event, notes: notes) {
                moved.event = replaced
                sealedPlaces.insert(recorded.sequence)
            }
            if case .operationFailed(var failed) = moved.event {
                failed.retryAt = failed.retryAt.map { $0 + shift }
                moved.event = .operationFailed(failed)
            }
            events.append(moved)
        }
        let metadata = EventMetadata(
            build: Build.version,
            catalogue: decider.catalogue.version,
            cause: "command.fork",
            node: "workflowctl"
        )
        let reason = "copied from session \(log.session) up to event \(sequence)"
        let acted = OperatorActed(by: person.name, action: OperatorActed.forking, reason: reason)
        append(.operatorActed(acted), at: now, metadata)
        // The next effect is to read the sandbox's state, unless there is none or a read is pending
        // already.
        let request = SessionInput.command(.refetch(by: person.name))
        let asked = SessionEvent.refetchRequested(RefetchRequested(by: person.name))
        let isWanted =
            substitution.isPayment
            || (try? decider.decide(request, in: .folding(events, of: session), at: now)) == [asked]
        if isWanted { append(asked, at: now, metadata) }
    }

    private mutating func append(
        _ event: SessionEvent,
        at now: Instant,
        _ metadata: EventMetadata
    ) {
        events.append(
            RecordedEvent(
                stream: session,
                sequence: SequenceNumber(events.count) + 1,
                at: now,
                event: event,
                metadata: metadata
            )
        )
    }

    /// Returns the records of a new chain; the only sealed values with them are the sandbox's
    /// addresses.
    func records(
        _ keys: SessionKeys,
        _ secrets: SecretTable
    ) throws(RecordWritingError) -> [StoredRecord] {
        var (head, records) = (StreamHead.empty, [StoredRecord]())
        for event in events {
            let record =
                sealedPlaces.contains(event.sequence)
                ? try RecordWriter.record(
                    event,
                    after: head,
                    keys: keys,
                    secrets: secrets,
                    random: SystemRandom()
                )
                : try RecordWriter.unsealedRecord(event, after: head, keys: keys)
            head = StreamHead(sequence: record.sequence, hash: record.hash)
            records.append(record)
        }
        return records
    }
}

/// The sandbox's replacements for the sealed values in the log of a forked session.
enum Substitution {
    /// The address of a payment session.
    case payment(address: Sealed, host: String)
    /// The values with which a checkout continues.
    case checkout(CheckoutSubstitution)

    /// Whether the session is a native payment.
    var isPayment: Bool { if case .payment = self { true } else { false } }

    /// Returns the original's notes without the sealed ones, and the first event's notes about the
    /// fork.
    private static func metadata(
        _ original: [String: OutsideText],
        _ notes: [String: String]
    ) -> [String: OutsideText] {
        original.filter { !$0.value.isSealed }.merging(notes.mapValues { .plain($0) }) { $1 }
    }

    /// Returns the event with the sandbox's values; `nil` when it contains no value to replace.
    ///
    /// `notes` describe the fork in the first event.
    mutating func replace(in event: SessionEvent, notes: [String: String]) -> SessionEvent? {
        switch (self, event) {
        case (.payment(let address, let host), .opened(var opened)):
            opened.sessionURL = address
            opened.host = host
            opened.reference = opened.reference.flatMap { $0.isSealed ? nil : $0 }
            opened.metadata = Self.metadata(opened.metadata, notes)
            // A choice made in advance may contain a number, so it is not copied.
            if opened.preferences.contains(where: { $0.msisdn != nil }) { opened.preferences = [] }
            // The checkout that handed over the order is not copied, so no session expects a
            // message.
            opened.checkout = nil
            return .opened(opened)
        case (.checkout(var checkout), .checkout(.checkoutOpened(var opened))):
            opened.reference = opened.reference.flatMap { $0.isSealed ? nil : $0 }
            opened.metadata = Self.metadata(opened.metadata, notes)
            let replaced = checkout.replace(in: .checkout(.checkoutOpened(opened)))
            self = .checkout(checkout)
            return replaced
        case (.checkout(var checkout), _):
            let replaced = checkout.replace(in: event)
            self = .checkout(checkout)
            return replaced
        case (.payment, _): return nil
        }
    }
}
