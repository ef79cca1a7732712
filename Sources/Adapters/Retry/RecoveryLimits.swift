/// The limits for resuming sessions automatically that gave up on an unavailable PSP.
public struct RecoveryLimits: Hashable, Sendable {
    /// The maximum number of automatic retries of a session; 0 leaves all retries to operators.
    public var tries = 3
    /// The pause of a session before its first retry; each further retry doubles it.
    public var pause: Duration = .seconds(60)
    /// How long after its last event a session is still retried automatically; after that the payer
    /// has left, and an operator decides.
    public var window: Duration = .seconds(3600)
    /// The maximum number of sessions that are retried in a second.
    public var perSecond = 5
    /// The maximum number of sessions that are read in a second, without a retry.
    public var readsPerSecond = 50
    /// The maximum number of sessions that are examined at once; the others are left to the next
    /// run.
    public var sessions = 500
    /// The time limit of the session that finds out whether the PSP is available again.
    public var trial: Duration = .seconds(60)

    /// Creates the default limits.
    public init() {}
}
