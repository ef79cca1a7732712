public import EventLog

/// What reaches the rules of a session: a workflow's own commands and reports, and what every engine brings.
///
/// The ready-made ``WorkflowInput``, for workflows that have no form of their own for it.
public enum WorkflowMessage<
    Request: Hashable & Sendable,
    Outcome: RequestOutcome,
    Timer: WorkflowTimer
>: WorkflowInput {
    /// A command or report of the workflow's own.
    case request(Request)
    /// The engine is about to send the pending request that changes something.
    case starting(EffectID)
    /// A request came to an end; when to go on, should it have failed.
    case answered(EffectID, Outcome, durationMilliseconds: Int64, retryAt: Instant)
    /// The process that sent a request is gone, and with it the outcome.
    case interrupted(EffectID, retryAt: Instant)
    /// A point in time that the state waits for has come.
    case timerFired(Timer)
    /// Nothing new: apply the rules to the state as it is.
    case resumed
}

extension WorkflowTimer where Self: RawRepresentable, RawValue == String {
    /// The name of the case.
    public var name: String { rawValue }
}

extension WorkflowRejection where Self: RawRepresentable, RawValue == String {
    /// The raw value.
    public var code: String { rawValue }
    /// The code.
    public var description: String { code }
}

extension WorkflowCall {
    /// Whether it reads or changes something.
    public var metricName: String { onlyReads ? "read" : "change" }
}

extension RequestOutcome {
    /// Whether it is known.
    public var metricName: String { isUnknown ? "unknown" : "known" }
}
