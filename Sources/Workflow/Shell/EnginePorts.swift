public import EventLog

/// The clock of the engine.
///
/// - Note: Isolation: any.
public protocol EngineClock: Sendable {
    /// The current time in UTC.
    func now() -> Instant

    /// Waits until a time; returns early when the task is canceled.
    func sleep(until instant: Instant) async
}

/// The settings of an engine, apart from its ports.
public struct EngineConfiguration: Sendable {
    /// The limits of the engine itself.
    public var engineLimits = EngineLimits()
    /// When to continue after failures.
    public var retrySchedule = RetrySchedule()
    /// The name under which this engine records events.
    public var node = "local"
    /// The program's version, which is recorded with every event.
    public var build = "0"
    /// The interval at which the store is queried for records of other processes.
    public var followInterval: Duration = .milliseconds(100)
    /// The interval at which the store is queried for due sessions; `nil` disables the query.
    ///
    /// Only with it are the sessions that a crash interrupted resumed after the next start.
    public var adoptionInterval: Duration? = .seconds(1)
    /// Returns whether a session that is due may be driven here: of one that may not, nothing is
    /// recorded.
    package var admits: @Sendable (SessionID) async -> Bool = { _ in true }
    /// The maximum number of due sessions that are adopted at once.
    public var adoptionBatch = 64
    /// The interval at which an engine that adopts due sessions checks whether to hand over some of
    /// its own.
    public var balancingInterval: Duration = .seconds(5)
    /// The maximum number of sessions handed over at once.
    public var balancingBatch = 64
    /// The interval at which an engine that adopts due sessions compares some rows in which nothing
    /// is due with their logs.
    public var reviewInterval: Duration = .seconds(60)
    /// The maximum number of rows that are compared at once; the next ones follow with the next
    /// interval.
    public var reviewBatch = 100
    /// How long a shutdown waits for requests that change something.
    public var shutdownGrace: Duration = .seconds(5)
    /// The number of records that are read at once.
    public var readBatch = 512

    /// Creates a configuration with the default values.
    public init() {}
}

/// Performs the requests of a workflow to the outside.
///
/// - Note: Isolation: any. Canceling the task that performs a request really cancels the request.
public protocol RequestPort<Rules>: Sendable {
    /// The workflow whose requests these are.
    associatedtype Rules: WorkflowRules

    /// Performs a request and returns its outcome; never throws, because a failure is an outcome.
    ///
    /// - Parameters:
    ///   - request: The request; its start is durable if it changes anything.
    ///   - session: The session as it is when the request is sent.
    /// - Returns: The outcome.
    func perform(
        _ request: Rules.Request,
        of session: RequestingSession<Rules>
    ) async -> WorkflowResponse<Rules>
}

/// The data of a session that a request needs.
public struct RequestingSession<Rules: WorkflowRules>: Sendable {
    /// The session.
    public var session: SessionID
    /// The fold of the durable events.
    public var state: Rules.State
    /// The plaintexts of its sealed values.
    public var secrets: SecretTable
    /// Its keys, used to seal the response.
    public var keys: SessionKeys
}

/// The result of a request.
public struct WorkflowResponse<Rules: WorkflowRules>: Sendable {
    /// The outcome.
    public var outcome: Rules.Input.Outcome
    /// The plaintexts of the sealed values in the outcome.
    public var secrets: SecretTable
    /// The duration of the request.
    public var durationMilliseconds: Int64

    /// Creates a response with these members.
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

/// Work that a workflow does beside its sessions, for example when one session's events affect
/// another.
///
/// Each hook is called on the engine's loop and returns work that the engine starts and does not
/// wait for.
public struct EngineHooks<Rules: WorkflowRules>: Sendable {
    /// Work of an engine on its loop.
    public typealias Work = @Sendable (Engine<Rules>) async -> Void

    /// Returns the work that follows from events that have become durable.
    public var afterAppend: @Sendable (Rules.State, [Recorded<Rules.Event>]) -> Work? = { _, _ in
        nil
    }
    /// Returns the work that follows when a session was loaded.
    public var afterLoading: @Sendable (Rules.State) -> Work? = { _ in nil }

    /// Creates hooks that do nothing.
    public init() {}
}

/// An update for the listeners of a session.
public struct EngineUpdate<Rules: WorkflowRules>: Sendable {
    /// The state after the newest durable event.
    public var state: Rules.State
    /// Whether nothing is pending on the engine's side.
    public var isSettled: Bool
    /// The events since the previous update.
    public var events: [Recorded<Rules.Event>]
    /// The store's failure while the session can't be driven.
    public var storeFailure: EventStoreError?
}

/// The result of opening a session by its address.
public struct AddressOpening: Hashable, Sendable {
    /// The session with the address.
    public var session: SessionID
    /// Whether the store already had a session with this address; `session` is then that one, and
    /// nothing was changed.
    public var wasKnown: Bool
}
