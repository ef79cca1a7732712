public import EventLog

/// What reaches the engine core.
///
/// What carries a state or a snapshot is held apart, so that handing an input or an action on stays cheap.
public enum EngineInput<Rules: WorkflowRules>: Sendable {
    /// A session's log was read, for the first time or again; and whether somebody listens to it.
    indirect case loaded(Rules.State, isWatched: Bool)
    /// A session's log could not be read.
    case loadFailed(SessionID, EventStoreError)
    /// A command or report for a session in memory, to be answered under this number.
    case request(SessionID, Rules.Input, number: Int, cause: String)
    /// What came of a request to the outside.
    indirect case answered(
        SessionID,
        EffectID,
        Rules.Input.Outcome,
        durationMilliseconds: Int64
    )
    /// The events of an append are durable.
    case appended(SessionID)
    /// They could not be appended.
    case appendFailed(SessionID, EventStoreError)
    /// Whether the right to run the session's effects was granted.
    case lease(SessionID, granted: Bool)
    /// The store failed when it was asked for that right.
    case leaseFailed(SessionID, EventStoreError)
    /// Other engines should have so many of the sessions whose effects are run here.
    case leaseSurplus(Int)
    /// A request did not leave, since the right to run the session's effects was lost meanwhile.
    case notPerformed(SessionID, EffectID)
    /// Somebody listens to the session, or nobody does any more.
    case watched(SessionID, Bool)
    /// Another writer may have appended to the session.
    case storeChanged(SessionID)
    /// A point in time that was asked for has come.
    case timeCame
    /// The engine stops: nothing new is started.
    case stopping
}

/// What the engine core wants done; each is one simple thing.
public enum EngineAction<Rules: WorkflowRules>: Sendable {
    /// Read a session's log again, from after this place.
    case load(SessionID, after: Int64)
    /// Make events durable.
    indirect case append(PendingAppend<Rules>)
    /// Perform a request to the outside; its start is durable if it changes anything.
    indirect case perform(SessionID, Rules.Call)
    /// Cancel a request that nobody waits for any more.
    case cancel(SessionID, EffectID)
    /// Ask for the right to run the session's effects.
    case acquireLease(SessionID)
    /// Give that right back.
    case releaseLease(SessionID)
    /// Give that right to other engines that have fewer sessions.
    case handOverLeases([SessionID])
    /// Answer the request of that number.
    case reply(Int, RequestResult<Rules>)
    /// Tell listeners that the session moved.
    indirect case publish(Rules.State, sequenceBefore: Int64)
    /// Tell listeners that the session can't be driven now.
    case report(SessionID, EventStoreError)
    /// Come back at that time, instead of any time named before; nothing means never.
    case wake(Instant?)
    /// Let go of the session: it can be loaded again when there is something to do.
    case park(SessionID)
}

/// Events on their way into the store.
public struct PendingAppend<Rules: WorkflowRules>: Sendable {
    /// The session.
    public var session: SessionID
    /// The last place that the events rely on.
    public var expectedVersion: Int64
    /// The events.
    public var events: [Rules.Event]
    /// When they happened.
    public var at: Instant
    /// The input that led to them.
    public var cause: String
    /// The session's row in the projection after them.
    public var summary: SessionSummary
    /// Whether the engine holds the session: the append must fail if it does not any more.
    public var isUnderLease: Bool
}

/// What came of a command or report.
public enum RequestResult<Rules: WorkflowRules>: Sendable {
    /// Taken: the session is at this place now.
    indirect case accepted(Rules.State)
    /// Refused by the rules.
    case rejected(Rules.Rejection)
    /// The store failed, or was changed by others again and again.
    case failed(EventStoreError)
    /// The engine stops.
    case stopping
    /// Too much waits for the session.
    case overloaded
}

/// The bounds of the engine core.
public struct EngineLimits: Hashable, Sendable {
    /// How many inputs may wait for one session.
    public var queuedInputs = 64
    /// How often a decision is taken anew because another writer was first.
    public var conflicts = 10
    /// How often a failing append of the engine's own is tried.
    public var storeTries = 5
    /// The pause before asking again for a lease that another engine holds.
    public var leasePause: Duration = .milliseconds(250)
    /// The pause before using a store again that failed.
    public var storePause: Duration = .milliseconds(200)
    /// How many sessions may be in memory, those included that are being brought there.
    public var sessions = 200_000
    /// How many may listen to one session at the same time.
    public var listeners = 256

    /// The defaults, to be changed member by member.
    public init() {}
}
