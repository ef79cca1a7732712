/// The limits of the engine core.
public struct EngineLimits: Hashable, Sendable {
    /// The maximum number of inputs that wait for one session.
    public var queuedInputs = 64
    /// How often a decision is repeated after a version conflict.
    public var conflicts = 10
    /// How often an append of the engine's own events is tried.
    public var storeTries = 5
    /// The pause before trying again to acquire a lease that another engine holds.
    public var leasePause: Duration = .milliseconds(250)
    /// The pause before using a store again after it failed.
    public var storePause: Duration = .milliseconds(200)
    /// How far a log may end in the future, because the clock of the engine that wrote it was
    /// ahead, until the times of its requests count from when this engine saw it.
    package var clockTolerance: Duration = .seconds(1)
    /// The maximum number of sessions in memory, including those being loaded.
    public var sessions = 200_000
    /// The number of sessions in memory beyond which those that only wait, for example for their
    /// next poll, leave it until they are due, so that there is room for others.
    package var waitingSessions = 100_000
    /// The maximum number of listeners of one session.
    public var listeners = 256

    /// Creates limits with the default values.
    public init() {}
}
