/// Within which bounds sessions go on by themselves that gave up on a PSP while it was out of
/// reach.
public struct RecoveryLimits: Hashable, Sendable {
    /// How often one session is tried again without anybody asking for it; 0 leaves all to people.
    public var tries = 3
    /// How long a session has rested before it is tried again; each further try doubles it.
    public var pause: Duration = .seconds(60)
    /// How long after its last event a session still goes on by itself: after that the payer has
    /// left, and somebody decides.
    public var window: Duration = .seconds(3600)
    /// How many sessions are tried again in a second.
    public var perSecond = 5
    /// How many sessions are looked at in one go; the others are left to the next.
    public var sessions = 500
    /// How long the session that finds out whether the PSP is back may take.
    public var trial: Duration = .seconds(60)

    /// The defaults, to be changed member by member.
    public init() {}
}
