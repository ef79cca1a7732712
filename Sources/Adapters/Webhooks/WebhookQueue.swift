internal import EventLog
internal import SwedbankPay

/// The sessions whose messages an endpoint has not been sent, and when each is tried next.
///
/// Each session has its messages sent in order, one after the other; one that is not accepted holds
/// back its own session only. It holds no task and no time of its own.
struct WebhookQueue: Hashable, Sendable {
    /// A position among the messages of a session.
    struct Place: Hashable, Sendable {
        /// The record whose messages come next.
        var sequence: SequenceNumber
        /// How many messages of this record are behind it.
        var notices = 0
    }

    /// A session with records that were not sent.
    struct Entry: Hashable, Sendable {
        /// What comes next.
        var place: Place
        /// The last record to be sent.
        var last: SequenceNumber
        /// How often the next message was tried.
        var tries = 0
        /// When it is tried next.
        var due: Instant
    }

    /// A session to be sent now.
    struct Job: Hashable, Sendable {
        var session: SessionID
        var place: Place
        var last: SequenceNumber
    }

    /// How far a session was sent.
    struct Progress: Hashable, Sendable {
        /// What comes next; after the last record when everything was accepted.
        var place: Place
        /// Why it went no further.
        var end = End.done
    }

    /// Why a job went no further.
    enum End: Hashable, Sendable {
        /// Everything was sent.
        case done
        /// The receiver did not accept the next message; what it asks to wait, if it does.
        case refused(wait: Duration?)
        /// The next message was not tried, which is no failure of it; how long to wait.
        case untried(wait: Duration)
    }

    /// What came of a refused message.
    enum Verdict: Hashable, Sendable {
        /// It is tried again.
        case later(tries: Int, at: Instant)
        /// It was tried as often as the schedule says.
        case givenUp(tries: Int)
    }

    /// The sessions with records that were not sent.
    private(set) var entries: [SessionID: Entry] = [:]
    /// The sessions that are being sent.
    private var running: Set<SessionID> = []
    /// When one was tried early.
    private var probedAt: Instant?
    /// The sessions that are tried early, and when the schedule would try them.
    private var early: [SessionID: Instant] = [:]

    /// An empty queue.
    init() {}

    /// A queue that was stored.
    init(_ entries: [SessionID: Entry]) { self.entries = entries }

    /// The number of records that were not sent.
    var records: Int64 {
        entries.values.reduce(0) { $0 + ($1.last - $1.place.sequence) + 1 }
    }

    /// Adds a record, which is sent after those of the same session.
    mutating func add(_ sequence: SequenceNumber, of session: SessionID, at now: Instant) {
        let new = Entry(place: Place(sequence: sequence), last: sequence, due: now)
        entries[session, default: new].last = max(entries[session]?.last ?? sequence, sequence)
    }

    /// Returns the sessions to be sent now, longest due first, which count as running from now on.
    ///
    /// - Parameters:
    ///   - now: The time.
    ///   - limit: How many may run at a time.
    /// - Returns: What to send.
    mutating func start(at now: Instant, limit: Int) -> [Job] {
        let room = limit - running.count
        guard room > 0 else { return [] }
        let due = entries.filter { $0.value.due <= now && !running.contains($0.key) }
        let first = due.sorted { ($0.value.due, $0.key) < ($1.value.due, $1.key) }.prefix(room)
        return first.map { session, entry in
            running.insert(session)
            return Job(session: session, place: entry.place, last: entry.last)
        }
    }

    /// Makes the session that is due next due now, at most once in an interval; such a try does not
    /// count.
    mutating func probe(at now: Instant, every interval: Duration) {
        if let probedAt, now < probedAt + interval { return }
        guard running.isEmpty,
            let next = entries.min(by: { ($0.value.due, $0.key) < ($1.value.due, $1.key) }),
            next.value.due > now
        else { return }
        probedAt = now
        early[next.key] = next.value.due
        entries[next.key]?.due = now
    }

    /// Records how far a session was sent.
    ///
    /// - Parameters:
    ///   - session: The session, which does not run any more.
    ///   - progress: How far it was sent.
    ///   - now: The time.
    ///   - schedule: The times between tries.
    /// - Returns: What came of a refused message; `nil` when none was.
    mutating func end(
        _ session: SessionID,
        _ progress: Progress,
        at now: Instant,
        schedule: [Duration]
    ) -> Verdict? {
        running.remove(session)
        let scheduled = early.removeValue(forKey: session)
        guard var entry = entries[session] else { return nil }
        let isSame = progress.place == entry.place
        if !isSame { entry.tries = 0 }
        entry.place = progress.place
        entry.due = now
        var verdict: Verdict?
        switch progress.end {
        case .done: break
        case .untried(let wait): entry.due = now + wait
        case .refused(let wait) where isSame && scheduled != nil:
            entry.due = max(scheduled ?? now, now + (wait ?? .zero))
            verdict = .later(tries: entry.tries, at: entry.due)
        case .refused(let wait) where entry.tries < schedule.count:
            entry.due = now + max(schedule[entry.tries], wait ?? .zero)
            entry.tries += 1
            verdict = .later(tries: entry.tries, at: entry.due)
        case .refused:
            verdict = .givenUp(tries: entry.tries + 1)
            entry.place.notices += 1
            entry.tries = 0
        }
        entries[session] = entry.place.sequence > entry.last ? nil : entry
        return verdict
    }
}
