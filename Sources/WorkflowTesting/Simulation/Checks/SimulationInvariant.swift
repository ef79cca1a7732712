public import EventLog
public import SwedbankPay

/// A host's own condition that a simulated world checks, beside the guarantees.
public struct SimulationInvariant: Sendable {
    /// The name that a violation carries.
    public var name: String
    /// Says what is wrong; nothing while all is well.
    public var check: @Sendable (SimulatedMoment) -> String?

    /// A condition with a name.
    public init(_ name: String, check: @escaping @Sendable (SimulatedMoment) -> String?) {
        self.name = name
        self.check = check
    }
}

/// A moment in the life of a simulated session, as an invariant sees it.
public struct SimulatedMoment: Sendable {
    /// What has just happened.
    public enum Kind: Hashable, Sendable {
        /// Events became durable.
        case recorded
        /// Listeners are told.
        case published
        /// Everything has come to rest, in a world that was calm at last.
        case rest
    }

    /// What has just happened.
    public var kind: Kind
    /// The world's time.
    public var now: Instant
    /// How the session stands: by the log, or as listeners are told.
    public var state: SessionState
    /// The newest events, where they became durable.
    public var events: ArraySlice<RecordedEvent>
    /// How many attempts the PSP has seen.
    public var attemptsSeen: Int
    /// How many payments the PSP has taken.
    public var payments: Int
}
