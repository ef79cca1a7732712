/// What the engine core keeps of a session in memory.
struct SessionSlot: Sendable {
    /// The fold of what is durable.
    var state: SessionState
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
    /// Nothing is done before this time, because the store failed or the lease was refused.
    var pausedUntil: Instant?
    /// When something is due next.
    var wakeAt: Instant?

    init(state: SessionState) { self.state = state }

    /// An input, and the number of the request that waits for its answer.
    struct QueuedInput: Sendable {
        var input: SessionInput
        var number: Int?
        var cause: String
    }

    /// Events that are being made durable.
    struct AppendInProgress: Sendable {
        var origin: QueuedInput
        var next: SessionState
        var perform: OperationCall?
    }

    /// A request to the PSP that was handed out.
    struct InFlight: Sendable {
        var effect: EffectID
        var onlyReads: Bool
    }

    /// How far the right to run effects is.
    enum LeaseState: Sendable {
        case none, asked, held
    }
}
