internal import EventLog

/// The engine core's data about a session in memory.
struct SessionSlot<Rules: WorkflowRules>: Sendable {
    /// The fold of the durable events.
    var held: HeldState<Rules>
    /// Inputs that wait for their turn.
    var queue: [QueuedInput] = []
    /// Events being appended to the store, and what follows once they are durable.
    var append: AppendInProgress?
    /// The request in flight.
    var inFlight: InFlight?
    /// The lease on the session.
    var lease = LeaseState.none
    /// Whether the log is being read.
    var isLoading = false
    /// Whether the session has listeners.
    var isWatched = false
    /// The number of consecutive version conflicts.
    var conflicts = 0
    /// The number of consecutive failures to read the log.
    var readFailures = 0
    /// The number of consecutive failed appends; a successful read in between does not reset it.
    var writeFailures = 0
    /// Whether the log must be read before anything else, because the store failed.
    var needsLoad = false
    /// Whether others may have appended while the log was being read or written.
    var hasChanges = false
    /// The time before which no effect is started, because the store failed, the lease was refused,
    /// or another engine performed the same effect.
    var pausedUntil: Instant?
    /// When something is due next.
    var wakeAt: Instant?
    /// When this engine first saw the state.
    var seenAt: Instant
    /// Whether the session's row says by the clock of another engine when something is due.
    var isRowAhead = false

    init(_ held: HeldState<Rules>, at now: Instant) { (self.held, seenAt) = (held, now) }

    /// The fold of the durable events.
    var state: Rules.State { held.state }

    /// Whether an outcome has to be decided again after a version conflict; the other writer
    /// performed, or gave up, the same request.
    var isResponseOvertaken: Bool {
        guard conflicts > 0, case .response? = queue.first?.origin else { return false }
        return true
    }

    /// An input and its origin.
    struct QueuedInput: Sendable {
        var input: Rules.Input
        var origin: Origin
        var cause: String

        /// The number of the host's call that waits for the result.
        var number: Int? { if case .host(let number) = origin { number } else { nil } }
    }

    /// The origin of an input.
    enum Origin: Hashable, Sendable {
        /// The host, which waits for the result under this number.
        case host(number: Int)
        /// The other side: a request ended; whether it was a read without a complete response.
        case response(isLostReading: Bool)
        /// A timer.
        case timer
        /// The engine, which is about to send a request.
        case start
        /// The engine, which found a request that a dead process had in flight.
        case recovery
    }

    /// Events that are being made durable.
    struct AppendInProgress: Sendable {
        var origin: QueuedInput
        var next: HeldState<Rules>
        var perform: Rules.Request?
    }

    /// A request to the outside that was passed to the shell.
    struct InFlight: Sendable {
        var effect: EffectID
        var onlyReads: Bool
    }

    /// The state of the lease on a session.
    enum LeaseState: Sendable {
        case none, asked, held
    }
}
