internal import SwedbankPay
public import Workflow

/// The settings of a simulated world: a scenario, and the limits of a host's own configuration.
public struct SimulationSettings<Scenario: SimulatedScenario>: Sendable {
    /// The initial scenario: the workflow, the other side and the clients.
    public var scenario: Scenario
    /// The limits of each engine.
    public var engineLimits = EngineLimits()
    /// When to retry after failures.
    public var retrySchedule = RetrySchedule()
    /// When each engine's circuit breaker opens.
    public var circuitBreaker = CircuitBreaker.Limits()
    /// The number of retries that each engine may send to the other side.
    public var retryBudget = RetryBudget.Limits()
    /// Invariants to check in addition to the guarantees.
    public var invariants: [SimulationInvariant<Scenario>] = []
    /// Whether secrets are really encrypted beside each record, as in a store; this costs about as
    /// much as everything else.
    public var sealsRecords = true
    /// The build and the catalogue version in records.
    public var build = "simulated"
    /// The time limit of a request.
    public var requestDeadline: Duration = .seconds(30)
    /// The duration of a lease that its engine cannot renew.
    public var leaseLifetime: Duration = .seconds(10)

    /// Creates the default settings with this scenario; change single members as needed.
    public init(_ scenario: Scenario) { self.scenario = scenario }
}
