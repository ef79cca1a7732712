public import EventLog

/// One thing that happened in a simulated world, for a timeline that a person reads.
public struct SimulatedStep: Hashable, Sendable {
    /// The kinds of things that happen.
    public enum Kind: UInt8, Hashable, Sendable, CaseIterable {
        /// A session is taken in.
        case opened
        /// A client or payer does something.
        case client
        /// An engine answers a command or report.
        case replied
        /// An append begins.
        case writing
        /// Events are durable.
        case appended
        /// An append failed.
        case appendFailed
        /// A session's log is read.
        case loaded
        /// Listeners are told how a session stands.
        case published
        /// A request leaves an engine.
        case requestLeaves
        /// A request is kept back by the circuit breaker or the retry budget.
        case requestKeptBack
        /// A request reaches the PSP.
        case requestArrives
        /// A request or its answer is lost, late or spoilt.
        case networkFault
        /// An engine hears of an answer.
        case answered
        /// A request is given up that nobody waits for.
        case canceled
        /// A lease is granted, refused, given back or lost.
        case lease
        /// An engine dies and starts again.
        case crash
        /// All engines die and start again.
        case powerLoss
        /// What was being written was cut off.
        case torn
        /// An engine stands still, or goes on.
        case pause
        /// An engine is cut off from the PSP or the store, or reaches it again.
        case partition
        /// An engine's clock jumps.
        case clockJump
        /// The PSP goes down or comes back, limits its rate, or a disk fills up.
        case weather
        /// A guarantee is broken.
        case violation
    }

    /// When, in the world's time.
    public var time: Instant
    /// Which engine, counted from 0.
    public var node: Int?
    /// Which session.
    public var session: SessionID?
    /// What kind of thing.
    public var kind: Kind
    /// What happened, in a few words, without secrets.
    public var text: String
}

/// What came about in a simulated world, in numbers.
public struct SimulationStatistics: Hashable, Sendable {
    /// How many things happened.
    public var steps = 0
    /// How often an engine died.
    public var crashes = 0
    /// How often all engines died at once.
    public var powerLosses = 0
    /// How many writes were cut off by a death, and how many of them were durable all the same.
    public var tornWrites = 0
    /// How many writes were durable although their engine died before it heard of it.
    public var survivingWrites = 0
    /// How often an append failed because another writer was first.
    public var conflicts = 0
    /// How often an engine took up a session that another one had left.
    public var takeovers = 0
    /// How many sessions an engine handed over that others should have.
    public var handOvers = 0
    /// How often a lease ran out under an engine.
    public var lostLeases = 0
    /// How many requests left.
    public var requests = 0
    /// How many requests were kept back by a circuit breaker or a retry budget.
    public var keptBack = 0
    /// How many answers were lost of what the PSP had done.
    public var lostAnswers = 0
    /// How many events became durable.
    public var events = 0
    /// How often a clock jumped.
    public var clockJumps = 0
    /// How often an engine was cut off from the PSP or the store.
    public var partitions = 0
    /// The time that passed in the world.
    public var simulatedTime: Duration = .zero
    /// For each session the time from its first to its last event, summed up.
    public var sessionTime: Duration = .zero

    /// Nothing yet.
    public init() {}
}
