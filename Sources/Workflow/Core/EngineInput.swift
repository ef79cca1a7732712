public import EventLog

/// An input of the engine core.
///
/// Cases that carry a state or an outcome are indirect, so that passing on an input or an action
/// stays cheap.
public enum EngineInput<Rules: WorkflowRules>: Sendable {
    /// A session's log was read, for the first time or again, and whether the session has
    /// listeners.
    indirect case loaded(Rules.State, isWatched: Bool)
    /// A session's log could not be read.
    case loadFailed(SessionID, EventStoreError)
    /// A command or report for a session in memory, whose result is returned under this number.
    case command(SessionID, Rules.Input, number: Int, cause: String)
    /// The outcome of a request to the outside.
    indirect case requestEnded(
        SessionID,
        EffectID,
        Rules.Input.Outcome,
        durationMilliseconds: Int64
    )
    /// The events of an append are durable.
    case appended(SessionID)
    /// The events of an append could not be stored.
    case appendFailed(SessionID, EventStoreError)
    /// Whether the lease on the session was granted.
    case lease(SessionID, granted: Bool)
    /// The store failed while the lease was being acquired.
    case leaseFailed(SessionID, EventStoreError)
    /// Other engines should have this many of the sessions held here.
    case leaseSurplus(Int)
    /// A request was not sent because the lease was lost in the meantime.
    case notPerformed(SessionID, EffectID)
    /// The session gained its first listener or lost its last one.
    case watched(SessionID, Bool)
    /// Another writer may have appended to the session.
    case storeChanged(SessionID)
    /// A requested wake-up time has come.
    case timeCame
    /// The engine is stopping: nothing new is started.
    case stopping
}

/// An action that the engine core requests; each does one simple thing.
public enum EngineAction<Rules: WorkflowRules>: Sendable {
    /// Read a session's log again, after this sequence number.
    case load(SessionID, after: SequenceNumber)
    /// Make events durable.
    indirect case append(PendingAppend<Rules>)
    /// Perform a request to the outside; its start is durable if it changes anything.
    indirect case perform(SessionID, Rules.Request)
    /// Cancel a request whose response is no longer needed.
    case cancel(SessionID, EffectID)
    /// Acquire the lease on the session.
    case acquireLease(SessionID)
    /// Release the lease.
    case releaseLease(SessionID)
    /// Hand the leases over to other engines that have fewer sessions.
    case handOverLeases([SessionID])
    /// Answer the caller with that number.
    case reply(Int, RequestResult<Rules>)
    /// Notify listeners that the session changed.
    indirect case publish(Rules.State, sequenceBefore: SequenceNumber)
    /// Notify listeners that the session can't be driven now.
    case report(SessionID, EventStoreError)
    /// Wake the core at this time instead of any time requested earlier; `nil` means never.
    case wake(Instant?)
    /// Remove the session from memory; it can be loaded again when there is something to do.
    case park(SessionID)
}

/// Events that are being appended to the store.
public struct PendingAppend<Rules: WorkflowRules>: Sendable {
    /// The session.
    public var session: SessionID
    /// The sequence number of the last event that the append relies on.
    public var expectedVersion: SequenceNumber
    /// The events.
    public var events: [Rules.Event]
    /// When they happened.
    public var at: Instant
    /// The input that caused them.
    public var cause: String
    /// The session's row in the projection after them.
    public var summary: SessionSummary
    /// Whether the append requires the session's lease and must fail without it.
    public var isUnderLease: Bool
}

/// The result of a command or report.
public enum RequestResult<Rules: WorkflowRules>: Sendable {
    /// Accepted; the session's state afterwards.
    indirect case accepted(Rules.State)
    /// Rejected by the rules.
    case rejected(Rules.Rejection)
    /// The store failed, or other writers conflicted too often.
    case failed(EventStoreError)
    /// The engine is stopping.
    case stopping
    /// Too many inputs are waiting for the session.
    case overloaded
}
