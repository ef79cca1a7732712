internal import EventLog

/// The messages of one session that wait to be sent to the PSP: ordered, bounded, and with their
/// progress.
///
/// It holds no task and no clock. Everything in it follows from the log and the progress in the
/// store, so that it can be discarded and created again at any time.
struct EventLoggingOutbox: Sendable {
    /// The next step.
    enum Step: Equatable {
        /// Send this message.
        case send(Beacon, to: String)
        /// Continue at that time.
        case wait(until: Instant)
        /// Do nothing until the log grows.
        case rest
    }

    private let options: EventLoggingOptions
    private var projection: EventLogging
    private var waiting: [Beacon] = []
    /// Whether the first message is being sent.
    private var isSending = false
    /// The sequence numbers of messages that were given up and are not counted in the stored number
    /// yet.
    private var dropped: [SequenceNumber] = []
    private var stored: DeliveryProgress
    private var address: String?
    private var tries = 0
    private var refusals = 0
    private var pausedUntil: Instant?

    init(
        session: SessionID,
        progress: DeliveryProgress,
        options: EventLoggingOptions = EventLoggingOptions()
    ) {
        self.options = options
        projection = EventLogging(session: session)
        stored = progress
    }

    /// The sequence number of the last event that was folded.
    var sequence: SequenceNumber { projection.state.sequence }

    /// The number of waiting messages.
    var count: Int { waiting.count }

    /// The last sequence number in the store's progress.
    var notedPosition: SequenceNumber { stored.position }

    /// The progress of the session: everything up to it was delivered or given up.
    var progress: DeliveryProgress {
        let position = waiting.first.map { $0.sequence - 1 } ?? sequence
        return DeliveryProgress(
            position: max(position, stored.position),
            dropped: stored.dropped + Int64(dropped.count { $0 <= position })
        )
    }

    /// Folds the next event of the log, with the secrets of its record.
    mutating func apply(_ recorded: RecordedEvent, secrets: SecretTable) {
        let known = projection.href
        let beacons = projection.apply(recorded)
        if let href = projection.href, href != known || address == nil, let text = secrets[href] {
            address = text
        }
        guard recorded.sequence > stored.position else { return }
        waiting += beacons
        while waiting.count > options.queueLimit { dropOne() }
    }

    /// The next step at a time.
    mutating func next(at now: Instant) -> Step {
        if let end = projection.endedAt, now >= end + options.afterlife {
            while !waiting.isEmpty { drop(at: 0) }
        }
        guard let first = waiting.first else { return .rest }
        guard let address else {
            // A session that ended without ever having received an address never receives one.
            if projection.endedAt != nil { while !waiting.isEmpty { drop(at: 0) } }
            return .rest
        }
        if let pausedUntil, pausedUntil > now { return .wait(until: pausedUntil) }
        isSending = true
        return .send(first, to: address)
    }

    /// Records the outcome of the message that ``next(at:)`` returned.
    mutating func sent(_ outcome: BeaconOutcome, at now: Instant) {
        isSending = false
        pausedUntil = nil
        switch outcome {
        case .delivered:
            waiting.removeFirst()
            (tries, refusals) = (0, 0)
            return
        case .refused:
            refusals += 1
            if refusals >= options.refusalTries {
                drop(at: 0)
                (tries, refusals) = (0, 0)
                return
            }
        case .failed: break
        }
        let doubled = options.firstPause * (1 << min(tries, 16))
        pausedUntil = now + min(doubled, options.longestPause)
        tries += 1
    }

    /// Records that the message being sent may or may not have arrived, so that it is sent again.
    mutating func interrupted() { isSending = false }

    /// Adopts the progress that the store has recorded.
    mutating func noted(_ progress: DeliveryProgress) {
        dropped.removeAll { $0 <= progress.position }
        stored = progress
    }

    /// Drops the oldest message about a request, otherwise the oldest; one that is being sent is
    /// kept.
    private mutating func dropOne() {
        let candidates = waiting.indices.dropFirst(isSending ? 1 : 0)
        let oldest = candidates.first { waiting[$0].action == .httpRequest } ?? candidates.first
        guard let oldest else { return }
        drop(at: oldest)
    }

    private mutating func drop(at index: Int) {
        dropped.append(waiting.remove(at: index).sequence)
    }
}
