internal import EventLog

/// What the engine core keeps of a session in memory.
struct SessionSlot<Rules: WorkflowRules>: Sendable {
    /// The fold of what is durable.
    var held: HeldState<Rules>
    /// Inputs that wait for their turn.
    var queue: [QueuedInput] = []
    /// Events on their way into the store, and what follows when they are there.
    var append: AppendInProgress?
    /// The request that is under way.
    var inFlight: InFlight?
    /// The right to run effects.
    var lease = LeaseState.none
    /// Whether the log is being read.
    var isLoading = false
    /// Whether somebody listens.
    var isWatched = false
    /// How often in a row another writer was first.
    var conflicts = 0
    /// How often in a row the log could not be read.
    var readFailures = 0
    /// How often in a row events could not be appended; reading in between doesn't end it.
    var writeFailures = 0
    /// Whether the log has to be read before anything else, because the store failed.
    var needsLoad = false
    /// Whether others may have appended while the log was being read or written.
    var hasNews = false
    /// No effect is begun before this time: the store failed, the lease was refused, or another engine did the same.
    var pausedUntil: Instant?
    /// When something is due next.
    var wakeAt: Instant?

    init(_ held: HeldState<Rules>) { self.held = held }

    /// The fold of what is durable.
    var state: Rules.State { held.state }

    /// Whether an outcome has to be decided on anew because another writer was first: that one has made, or given
    /// up, the same request.
    var isAnswerOvertaken: Bool {
        guard conflicts > 0, case .answer? = queue.first?.origin else { return false }
        return true
    }

    /// An input, and where it comes from.
    struct QueuedInput: Sendable {
        var input: Rules.Input
        var origin: Origin
        var cause: String

        /// The number of the request of the host that waits for the answer.
        var number: Int? { if case .host(let number) = origin { number } else { nil } }
    }

    /// Where an input comes from.
    enum Origin: Hashable, Sendable {
        /// The host, which waits for the answer under this number.
        case host(number: Int)
        /// The other side: a request came to an end; whether it was a reading without a whole response.
        case answer(isLostReading: Bool)
        /// A timer.
        case timer
        /// The engine, which is about to send a request.
        case start
        /// The engine, which found a request that a dead process had under way.
        case recovery
    }

    /// Events that are being made durable.
    struct AppendInProgress: Sendable {
        var origin: QueuedInput
        var next: HeldState<Rules>
        var perform: Rules.Call?
    }

    /// A request to the outside that was handed out.
    struct InFlight: Sendable {
        var effect: EffectID
        var onlyReads: Bool
    }

    /// How far the right to run effects is.
    enum LeaseState: Sendable {
        case none, asked, held
    }
}
