internal import SwedbankPay
public import Workflow

/// What runs in a simulated world: a scenario, and the bounds of a host's own configuration.
public struct SimulationSettings<Scenario: SimulatedScenario>: Sendable {
    /// The workflow, the other side and the clients, as they are when a world begins.
    public var scenario: Scenario
    /// The bounds of each engine.
    public var engineLimits = EngineLimits()
    /// When to go on after failures.
    public var retrySchedule = RetrySchedule()
    /// When each engine's circuit breaker opens.
    public var circuitBreaker = CircuitBreaker.Limits()
    /// How many repetitions each engine may ask the other side for.
    public var retryBudget = RetryBudget.Limits()
    /// What shall hold beside the guarantees, which are always checked.
    public var invariants: [SimulationInvariant<Scenario>] = []
    /// Whether secrets are really encrypted beside each record, as in a store; it costs about as much as all else.
    public var sealsRecords = true
    /// The catalogue's version and the build that records name.
    public var build = "simulated"
    /// How long a request may take before it is given up.
    public var requestDeadline: Duration = .seconds(30)
    /// How long a lease lasts whose engine can't prolong it.
    public var leaseLifetime: Duration = .seconds(10)

    /// The defaults with this scenario, to be changed member by member.
    public init(_ scenario: Scenario) { self.scenario = scenario }
}
