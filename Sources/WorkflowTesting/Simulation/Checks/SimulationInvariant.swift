public import EventLog
public import Workflow

/// A host's own condition that a simulated world checks, beside the guarantees.
public struct SimulationInvariant<Scenario: SimulatedScenario>: Sendable {
    /// The name that a violation carries.
    public var name: String
    /// Says what is wrong; nothing while all is well.
    public var check: @Sendable (SimulatedMoment<Scenario>) -> String?

    /// A condition with a name.
    public init(
        _ name: String,
        check: @escaping @Sendable (SimulatedMoment<Scenario>) -> String?
    ) {
        self.name = name
        self.check = check
    }
}

/// A moment in the life of a simulated session, as an invariant sees it.
public struct SimulatedMoment<Scenario: SimulatedScenario>: Sendable {
    /// The kinds of moments.
    public typealias Kind = SimulatedMomentKind

    /// What has just happened.
    public var kind: Kind
    /// The world's time.
    public var now: Instant
    /// How the session stands: by the log, or as listeners are told.
    public var state: Scenario.Rules.State
    /// The newest events, where they became durable.
    public var events: ArraySlice<Recorded<Scenario.Rules.Event>>
    /// The other side and the clients.
    public var scenario: Scenario
}

/// What has just happened to a simulated session.
public enum SimulatedMomentKind: Hashable, Sendable {
    /// Events became durable.
    case recorded
    /// Listeners are told.
    case published
    /// Everything has come to rest, in a world that was calm at last.
    case rest
}
