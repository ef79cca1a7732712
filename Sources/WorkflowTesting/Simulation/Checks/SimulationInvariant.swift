public import EventLog
public import Workflow

/// A host's own condition that a simulated world checks in addition to the guarantees.
public struct SimulationInvariant<Scenario: SimulatedScenario>: Sendable {
    /// The name used in violations.
    public var name: String
    /// Describes the violation; `nil` when the condition holds.
    public var check: @Sendable (SimulatedMoment<Scenario>) -> String?

    /// Creates a condition with a name.
    public init(
        _ name: String,
        check: @escaping @Sendable (SimulatedMoment<Scenario>) -> String?
    ) {
        self.name = name
        self.check = check
    }
}

/// A moment in a simulated session, as seen by an invariant.
public struct SimulatedMoment<Scenario: SimulatedScenario>: Sendable {
    /// The kinds of moments.
    public typealias Kind = SimulatedMomentKind

    /// The latest change.
    public var kind: Kind
    /// The world's time.
    public var now: Instant
    /// The session's state: of the log, or as published to listeners.
    public var state: Scenario.Rules.State
    /// The newest events, when they became durable.
    public var events: ArraySlice<Recorded<Scenario.Rules.Event>>
    /// The other side and the clients.
    public var scenario: Scenario
}

/// The latest change of a simulated session.
public enum SimulatedMomentKind: Hashable, Sendable {
    /// Events became durable.
    case recorded
    /// Listeners are notified.
    case published
    /// Everything has come to rest, after all faults have ended.
    case rest
}
