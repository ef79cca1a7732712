public import EventLog

/// The time, as the engine is told it.
///
/// - Note: Isolation: any.
public protocol EngineClock: Sendable {
    /// The time now, in UTC.
    func now() -> Instant

    /// Waits until a time; returns early when the task is cancelled.
    func sleep(until instant: Instant) async
}

/// What an engine is, beside its ports.
public struct EngineConfiguration: Sendable {
    /// The bounds that a session's rules keep.
    public var sessionLimits = SessionLimits()
    /// Which addresses clients are handed.
    public var clientAddresses = ClientAddresses()
    /// The bounds of the engine itself.
    public var engineLimits = EngineLimits()
    /// When to go on after failures.
    public var retrySchedule = RetrySchedule()
    /// How the engine presents itself to the PSP.
    public var client = ClientProfile()
    /// The name under which this engine records events.
    public var node = "local"
    /// The program's version, for the record.
    public var build = "0"
    /// How often the store is asked for what others appended.
    public var newsInterval: Duration = .milliseconds(100)
    /// How often the store is asked for sessions with something due; nothing means never.
    ///
    /// What a crash interrupted goes on after the next start only where this is on.
    public var adoptionInterval: Duration? = .seconds(1)
    /// How many due sessions are taken up at once.
    public var adoptionBatch = 64
    /// How often an engine that takes up due sessions asks whether others should have some of its own.
    public var balancingInterval: Duration = .seconds(5)
    /// How many sessions are handed over at once, at the most.
    public var balancingBatch = 64
    /// How long a shutdown waits for requests that change something.
    public var shutdownGrace: Duration = .seconds(5)
    /// How many records are read at once.
    public var readBatch = 512

    /// The defaults, to be changed member by member.
    public init() {}
}

/// What listeners of a session are told.
public struct SessionUpdate: Sendable {
    /// The state after the newest durable event.
    public var state: SessionState
    /// Whether nothing is outstanding on the engine's side.
    public var isSettled: Bool
    /// The events that led there from the update before.
    public var events: [RecordedEvent]
    /// The store's failure, while the session can't be driven.
    public var storeFailure: EventStoreError?
}
