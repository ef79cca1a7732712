internal import EventLog

/// The messages of one session that wait for the PSP: in order, bounded, and how far they have got.
///
/// Holds no task and no clock. Everything in it follows from the log and from the progress that the store has, so that
/// it can be dropped and made again at any time.
struct EventLoggingOutbox: Sendable {
    /// What comes next.
    enum Step: Equatable {
        /// Send this message.
        case send(Beacon, to: String)
        /// Come back at that time.
        case wait(until: Instant)
        /// Nothing, until the log goes on.
        case rest
    }

    private let options: EventLoggingOptions
    private var projection: EventLogging
    private var waiting: [Beacon] = []
    /// Whether the first message is on its way.
    private var isSending = false
    /// The places of messages that were given up and are not in the stored number yet.
    private var dropped: [Int64] = []
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

    /// The place of the last event that was taken in.
    var sequence: Int64 { projection.state.sequence }

    /// How many messages wait.
    var count: Int { waiting.count }

    /// Up to which place the store knows of it.
    var notedPosition: Int64 { stored.position }

    /// How far the session has got: everything up to there is delivered or given up.
    var progress: DeliveryProgress {
        let position = waiting.first.map { $0.sequence - 1 } ?? sequence
        return DeliveryProgress(
            position: max(position, stored.position),
            dropped: stored.dropped + Int64(dropped.count { $0 <= position })
        )
    }

    /// Takes the next event of the log, and the secrets of its record.
    mutating func take(_ recorded: RecordedEvent, secrets: SecretTable) {
        let known = projection.href
        let beacons = projection.take(recorded)
        if let href = projection.href, href != known || address == nil, let text = secrets[href] {
            address = text
        }
        guard recorded.sequence > stored.position else { return }
        waiting += beacons
        while waiting.count > options.queueLimit { dropOne() }
    }

    /// What comes next at a time.
    mutating func next(at now: Instant) -> Step {
        if let end = projection.endedAt, now >= end + options.afterlife {
            while !waiting.isEmpty { drop(at: 0) }
        }
        guard let first = waiting.first else { return .rest }
        guard let address else {
            // A session that is over without ever having been given an address never gets one.
            if projection.endedAt != nil { while !waiting.isEmpty { drop(at: 0) } }
            return .rest
        }
        if let pausedUntil, pausedUntil > now { return .wait(until: pausedUntil) }
        isSending = true
        return .send(first, to: address)
    }

    /// Takes what came of the message that ``next(at:)`` gave.
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

    /// The message that was on its way may or may not have arrived: it is sent again.
    mutating func interrupted() { isSending = false }

    /// Takes over what the store has noted.
    mutating func noted(_ progress: DeliveryProgress) {
        dropped.removeAll { $0 <= progress.position }
        stored = progress
    }

    /// The oldest message about a request goes first, else the oldest; one that is on its way stays.
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
