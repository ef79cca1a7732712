internal import EventLog

/// What the engine core keeps of a session in memory.
struct SessionSlot: Sendable {
    /// The fold of what is durable.
    var held: HeldState
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

    init(_ held: HeldState) { self.held = held }

    /// The fold of what is durable.
    var state: SessionState { held.state }

    /// Whether an answer of the PSP has to be decided on anew because another writer was first: that one has made, or given
    /// up, the same request.
    var isAnswerOvertaken: Bool {
        guard conflicts > 0, case .answered? = queue.first?.input else { return false }
        return true
    }

    /// An input, and the number of the request that waits for its answer.
    struct QueuedInput: Sendable {
        var input: SessionInput
        var number: Int?
        var cause: String
    }

    /// Events that are being made durable.
    struct AppendInProgress: Sendable {
        var origin: QueuedInput
        var next: HeldState
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

/// A state that nobody changes any more, with what it owes.
///
/// A state has some hundred parts; held here it is handed on by one reference, and its rules are asked once.
final class HeldState: Sendable {
    /// The state.
    let state: SessionState
    /// What it owes to the outside.
    let owed: [Effect]
    /// Whether it only waits for its client, or is over.
    let isSettled: Bool
    private let next: Step

    /// Takes a state over from whoever has made it.
    convenience init(_ state: consuming SessionState, by decider: SessionDecider) {
        let next = decider.step(in: state)
        self.init(state, next: next, by: decider)
    }

    /// Takes over what a decision led to.
    convenience init(_ decision: SessionDecider.Decision, by decider: SessionDecider) {
        self.init(decision.state, next: decision.next, by: decider)
    }

    private init(_ state: consuming SessionState, next: Step, by decider: SessionDecider) {
        self.next = next
        owed = decider.effects(owedBy: state, next: next)
        isSettled = decider.isSettled(state, next: next)
        self.state = state
    }

    /// What an input brings; nil when it changes nothing.
    func decision(
        on input: SessionInput,
        by decider: SessionDecider,
        at now: Instant
    ) throws(Rejection) -> SessionDecider.Decision? {
        try decider.decision(on: input, in: state, next: next, at: now)
    }

    /// Its row in the projection.
    func summary(by decider: SessionDecider) -> SessionSummary {
        decider.summary(of: state, next: next)
    }

    /// The request that it owes by this time.
    func dueCall(at now: Instant) -> OperationCall? {
        for case .call(let call) in owed where (call.notBefore ?? now) <= now { return call }
        return nil
    }
}
