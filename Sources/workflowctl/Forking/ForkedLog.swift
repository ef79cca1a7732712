internal import Adapters
internal import EventLog
internal import Inspection
internal import SwedbankPay

/// The beginning of a session's log as that of another session, which goes on at a sandbox.
///
/// It is a log of its own: another identity, another chain, times moved so that the last event is now. What was sealed stays
/// shut, since neither seals nor keys come along: no address, token or number of the original can be had from it, so
/// nothing done with it can reach the PSP of the original. Where a session goes on by an address, that of the sandbox stands in
/// its place, sealed with the fork's keys. The first record says what it was forked from.
struct ForkedLog {
    /// The names of the notes that say what a log was forked from.
    static let (originName, placeName) = (OperatorActed.forkOrigin, "forkedAt")

    /// The session's identity.
    let session: SessionID
    /// The events, in order.
    private(set) var events: [RecordedEvent] = []
    /// The places of events whose sealed values are the sandbox's.
    private var sealedPlaces: Set<Int64> = []

    /// Forks a log at a place where ``ForkPlace`` allows it.
    ///
    /// - Parameters:
    ///   - log: The original.
    ///   - sequence: The last event that is copied.
    ///   - session: The identity that the fork has.
    ///   - sandbox: What the sandbox gave in place of what the original went on with.
    ///   - now: The time of the fork.
    ///   - person: Who forks.
    ///   - decider: The rules that go on with it.
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
        // The next thing that is done is to read what the sandbox has, unless nothing is there or it is about to be read.
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
                sequence: Int64(events.count) + 1,
                at: now,
                event: event,
                metadata: metadata
            )
        )
    }

    /// The records, chained anew; of sealed values only the sandbox's addresses are beside them.
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

/// What a sandbox gave for what stands sealed in the log of a session that is forked.
enum Substitution {
    /// The address of a payment session.
    case payment(address: Sealed, host: String)
    /// What a checkout goes on with.
    case checkout(CheckoutSubstitution)

    /// Whether the session pays natively.
    var isPayment: Bool { if case .payment = self { true } else { false } }

    /// The original's notes, of which sealed ones are not copied, and what the first event says of the fork.
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
            // A choice that was made beforehand may hold a number; it is not copied.
            if opened.preferences.contains(where: \.isPersonal) { opened.preferences = [] }
            // The checkout that handed the order over is not copied, so nobody waits to be told.
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
    /// Whether it holds something of the payer's.
    fileprivate var isPersonal: Bool {
        if case .swish(.some) = self { return true }
        return false
    }
}
