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
    /// The bounds of the engine itself.
    public var engineLimits = EngineLimits()
    /// When to go on after failures.
    public var retrySchedule = RetrySchedule()
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

/// The way to the outside: performs the requests of a workflow.
///
/// - Note: Isolation: any. Cancelling the task that performs a request really cancels the request.
public protocol RequestPort<Rules>: Sendable {
    /// The workflow whose requests these are.
    associatedtype Rules: WorkflowRules

    /// Performs a request and reports what came of it; never throws, since a failure is an outcome.
    ///
    /// - Parameters:
    ///   - call: The request; its start is durable if it changes anything.
    ///   - session: The session as it is when the request leaves.
    func perform(_ call: Rules.Call, of session: CallingSession<Rules>) async -> CallResponse<Rules>
}

/// What a request needs of its session.
public struct CallingSession<Rules: WorkflowRules>: Sendable {
    /// The session.
    public var session: SessionID
    /// The fold of what is durable.
    public var state: Rules.State
    /// The plaintexts of its sealed values.
    public var secrets: SecretTable
    /// Its keys, to seal what comes back.
    public var keys: SessionKeys
}

/// What came of a request.
public struct CallResponse<Rules: WorkflowRules>: Sendable {
    /// The outcome.
    public var outcome: Rules.Input.Outcome
    /// The plaintext of each sealed value in the outcome.
    public var secrets: SecretTable
    /// From the start to the end of the request.
    public var durationMilliseconds: Int64

    /// A response with these members.
    public init(
        outcome: Rules.Input.Outcome,
        secrets: SecretTable = SecretTable(),
        durationMilliseconds: Int64
    ) {
        self.outcome = outcome
        self.secrets = secrets
        self.durationMilliseconds = durationMilliseconds
    }
}

/// Work that a workflow does beside its sessions: what one session's events mean for another, for example.
///
/// Each is asked on the engine's loop and names work that the engine starts and does not wait for.
public struct EngineHooks<Rules: WorkflowRules>: Sendable {
    /// Work of an engine on its loop.
    public typealias Work = @Sendable (Engine<Rules>) async -> Void

    /// What follows from events that have become durable.
    public var afterAppend: @Sendable (Rules.State, [Recorded<Rules.Event>]) -> Work? = { _, _ in
        nil
    }
    /// What follows when a session was brought into memory.
    public var afterLoading: @Sendable (Rules.State) -> Work? = { _ in nil }

    /// No work.
    public init() {}
}

/// What listeners of a session are told.
public struct EngineUpdate<Rules: WorkflowRules>: Sendable {
    /// The state after the newest durable event.
    public var state: Rules.State
    /// Whether nothing is pending on the engine's side.
    public var isSettled: Bool
    /// The events that led there from the update before.
    public var events: [Recorded<Rules.Event>]
    /// The store's failure, while the session can't be driven.
    public var storeFailure: EventStoreError?
}

/// What a session's address led to.
public struct AddressOpening: Hashable, Sendable {
    /// The session of the address.
    public var session: SessionID
    /// Whether the store had a session of this address before: then it is that one, and nothing was changed.
    public var wasKnown: Bool
}
