internal import Adapters
internal import EventLog
internal import Inspection
internal import SwedbankPay

/// The beginning of a session's log as the log of another session, which continues at a sandbox.
///
/// The fork has an identifier and a hash chain of its own, and its times are shifted so that the
/// last event is now. The original's seals and keys are not copied: no address, token or number of
/// the original can be read from the fork, so nothing done with it can reach the original's PSP.
/// Where the session continues with an address, the sandbox's address replaces it, sealed with the
/// fork's keys. The first record names the original.
struct ForkedLog {
    /// The names of the notes that identify the original.
    static let (originName, placeName) = (OperatorActed.forkOrigin, "forkedAt")

    /// The session's identifier.
    let session: SessionID
    /// The events in order.
    private(set) var events: [RecordedEvent] = []
    /// The sequence numbers of events whose sealed values are the sandbox's.
    private var sealedPlaces: Set<Int64> = []

    /// Forks a log at a sequence number that ``ForkPlace`` allows.
    ///
    /// - Parameters:
    ///   - log: The original's log.
    ///   - sequence: The sequence number of the last event that is copied.
    ///   - session: The identifier of the fork.
    ///   - sandbox: The sandbox's values that replace the original's.
    ///   - now: The time of the fork.
    ///   - person: The operator.
    ///   - decider: The rules with which the fork continues.
    init(
        of log: SessionLog,
        upTo sequence: Int64,
        as session: SessionID,
        onto sandbox: Substitution,
        at now: Instant,
        by person: Operator,
        under decider: SessionDecider
    ) {
        self.session = session
        let copied = log.events.prefix(Int(clamping: sequence))
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
        let wish = SessionInput.command(.refetch(by: person.name))
        let asked = SessionEvent.refetchRequested(RefetchRequested(by: person.name))
        let isWanted =
            substitution.isPayment
            || (try? decider.decide(wish, in: .folding(events, of: session), at: now)) == [asked]
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
                sequence: Int64(events.count) + 1,
                at: now,
                event: event,
                metadata: metadata
            )
        )
    }

    /// The records with a new hash chain; of sealed values, only the sandbox's addresses accompany
    /// them.
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

/// The sandbox's values that replace sealed values in the log of a forked session.
enum Substitution {
    /// The address of a payment session.
    case payment(address: Sealed, host: String)
    /// What a checkout goes on with.
    case checkout(CheckoutSubstitution)

    /// Whether the session is a native payment.
    var isPayment: Bool { if case .payment = self { true } else { false } }

    /// Returns the first event's notes: the original's, except sealed ones, and those that describe
    /// the fork.
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
            // A preselected choice may contain a telephone number; it is not copied.
            if opened.preferences.contains(where: \.isPersonal) { opened.preferences = [] }
            // The checkout that handed over the order is not copied, so the result is reported to
            // no one.
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

extension Preference {
    /// Whether the value contains personal data of the payer.
    fileprivate var isPersonal: Bool {
        if case .swish(.some) = self { return true }
        return false
    }
}
