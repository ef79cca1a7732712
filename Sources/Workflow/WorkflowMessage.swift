public import EventLog

/// The ready-made ``WorkflowInput``, for workflows that don't define their own.
///
/// It carries a workflow's own commands and reports, and the inputs that every engine delivers.
public enum WorkflowMessage<
    Command: Hashable & Sendable,
    Outcome: RequestOutcome,
    Timer: WorkflowTimer
>: WorkflowInput {
    /// One of the workflow's own commands or reports.
    case command(Command)
    /// The engine is about to send the pending request that changes something.
    case starting(EffectID)
    /// A request ended; `retryAt` says when to continue if it failed.
    case requestEnded(EffectID, Outcome, durationMilliseconds: Int64, retryAt: Instant)
    /// The process that sent a request has ended, and the outcome is lost with it.
    case interrupted(EffectID, retryAt: Instant)
    /// A time that the state waits for has come.
    case timerFired(Timer)
    /// No new input: apply the rules to the current state.
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

extension WorkflowRequest {
    /// The kind of request: read or change.
    public var metricName: String { onlyReads ? "read" : "change" }
}

extension RequestOutcome {
    /// The kind of outcome: known or unknown.
    public var metricName: String { isUnknown ? "unknown" : "known" }
}
