public import EventLog

/// One occurrence in a simulated world, for a time line that people read.
public struct SimulatedStep: Hashable, Sendable {
    /// The kinds of occurrences.
    public enum Kind: UInt8, Hashable, Sendable, CaseIterable {
        /// A session is opened.
        case opened
        /// A client or payer acts.
        case client
        /// An engine replies to a command or report.
        case replied
        /// An append starts.
        case writing
        /// Events have become durable.
        case appended
        /// An append failed.
        case appendFailed
        /// A session's log is read.
        case loaded
        /// A session's state is published to listeners.
        case published
        /// An engine sends a request.
        case requestLeaves
        /// The circuit breaker or the retry budget holds a request back.
        case requestKeptBack
        /// A request reaches the PSP.
        case requestArrives
        /// A request or its response is lost, delayed or spoilt.
        case networkFault
        /// An engine receives a response.
        case responded
        /// A request is canceled because its result is not needed any more.
        case canceled
        /// A lease is granted, refused, released or lost.
        case lease
        /// An engine crashes and restarts.
        case crash
        /// All engines crash and restart.
        case powerLoss
        /// A write was truncated by a crash.
        case torn
        /// An engine stops, or continues.
        case pause
        /// An engine is cut off from the PSP or the store, or reaches it again.
        case partition
        /// An engine's clock jumps.
        case clockJump
        /// The PSP goes down or recovers, limits its rate, or a disk becomes full.
        case weather
        /// A guarantee is violated.
        case violation
    }

    /// The world's time.
    public var time: Instant
    /// The engine, counted from 0.
    public var node: Int?
    /// The session.
    public var session: SessionID?
    /// The kind of occurrence.
    public var kind: Kind
    /// A short description without secrets.
    public var text: String
}

/// Counts of what happened in a simulated world.
public struct SimulationStatistics: Hashable, Sendable {
    /// The number of steps.
    public var steps = 0
    /// The number of crashes of single engines.
    public var crashes = 0
    /// The number of times that all engines crashed at once.
    public var powerLosses = 0
    /// The number of writes interrupted by a crash, including those that became durable.
    public var tornWrites = 0
    /// The number of writes that became durable although their engine crashed before it was
    /// notified.
    public var survivingWrites = 0
    /// The number of appends that conflicted with another writer.
    public var conflicts = 0
    /// The number of sessions that an engine took over from another one.
    public var takeovers = 0
    /// The number of sessions that engines handed over to others.
    public var handOvers = 0
    /// The number of leases that expired while an engine held them.
    public var lostLeases = 0
    /// The number of requests sent.
    public var requests = 0
    /// The number of requests held back by a circuit breaker or a retry budget.
    public var keptBack = 0
    /// The number of lost responses to requests that the PSP had processed.
    public var lostResponses = 0
    /// The number of events that became durable.
    public var events = 0
    /// The number of clock jumps.
    public var clockJumps = 0
    /// The number of times that an engine was cut off from the PSP or the store.
    public var partitions = 0
    /// The time that passed in the world.
    public var simulatedTime: Duration = .zero
    /// The sum over all sessions of the time from their first to their last event.
    public var sessionTime: Duration = .zero

    /// Creates counts of zero.
    public init() {}
}
