public import SwedbankPay
public import Workflow

/// What runs in a simulated world: the rules and bounds of a host's own configuration, and its own client.
public struct SimulationSettings: Sendable {
    /// The rules, with the host's own limits, problem catalogue and overrides.
    public var decider: SessionDecider
    /// The bounds of each engine.
    public var engineLimits = EngineLimits()
    /// When to go on after failures.
    public var retrySchedule = RetrySchedule()
    /// When each engine's circuit breaker opens.
    public var circuitBreaker = CircuitBreaker.Limits()
    /// How many repetitions each engine may ask the PSP for.
    public var retryBudget = RetryBudget.Limits()
    /// What payers' apps do about what they are shown.
    public var client: any SimulatedClient = OrdinaryClient()
    /// What shall hold beside the guarantees, which are always checked.
    public var invariants: [SimulationInvariant] = []
    /// Whether secrets are really encrypted beside each record, as in a store; it costs about as much as all else.
    public var sealsRecords = true
    /// The catalogue's version and the build that records name.
    public var build = "simulated"
    /// How long a request may take before it is given up.
    public var requestDeadline: Duration = .seconds(30)
    /// How long a lease lasts whose engine can't prolong it.
    public var leaseLifetime: Duration = .seconds(10)

    /// The defaults with these rules, to be changed member by member.
    public init(
        decider: SessionDecider = SessionDecider(
            catalogue: ProblemCatalogue(rows: [], version: "simulated")
        )
    ) {
        self.decider = decider
    }
}
