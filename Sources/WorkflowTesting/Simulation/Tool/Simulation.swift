internal import EventLog
internal import SwedbankPay
internal import Workflow

/// Runs plans: creates a world for each, injects faults, ends the faults, and checks that
/// everything has settled.
///
/// ```swift
/// var simulation = Simulation()
/// simulation.settings.engineLimits.queuedInputs = 8
/// let report = simulation.run(SimulationPlan(seed: 7))
/// #expect(report.violation == nil)
/// ```
public struct Simulation<Scenario: SimulatedScenario>: Sendable {
    /// The scenario, limits and invariants of a host.
    public var settings: SimulationSettings<Scenario>
    /// The driver between the world and each engine.
    public var driver: any CoreDriver<Scenario.Rules>
    /// Whether reports contain the individual steps.
    public var recordsSteps = false
    /// Whether to abort a world, checked at every step; the report of an aborted world proves
    /// nothing.
    public var isInterrupted: @Sendable () -> Bool = { false }

    /// Creates a simulation, by default of the unmodified engine.
    public init(
        settings: SimulationSettings<Scenario>,
        driver: any CoreDriver<Scenario.Rules> = FaithfulDriver<Scenario.Rules>()
    ) {
        self.settings = settings
        self.driver = driver
    }

    /// Runs one world to its end, or until a guarantee is violated.
    public func run(_ plan: SimulationPlan) -> SimulationReport {
        var world = SimulatedWorld(
            settings: settings,
            faults: plan.faults,
            nodes: plan.nodes,
            seed: plan.seed,
            driver: driver
        )
        world.recordsTimeline = recordsSteps
        world.isInterrupted = isInterrupted
        let begin = world.now
        // A separate source of randomness for arriving payers, so that the number of engines does
        // not change it.
        var dice = SplitMix64(seed: plan.seed ^ 0x9E37_79B9_7F4A_7C15)
        let span = Duration.seconds(max(60, plan.minutes * 15))
        for _ in 0..<plan.sessions { Scenario.open(in: &world, within: span, using: &dice) }
        world.run(for: .seconds(60 * plan.minutes), steps: .max)
        if world.ledger.violations.isEmpty { world.finish() }
        return report(of: world, plan, since: begin)
    }

    private func report(
        of world: SimulatedWorld<Scenario>,
        _ plan: SimulationPlan,
        since begin: Instant
    ) -> SimulationReport {
        var outcomes: [String: Int] = [:]
        for session in world.sessions {
            let state = world.state(of: session)
            let rest = state.sequence == 0 ? "notOpened" : "waiting"
            outcomes[world.scenario.ending(of: state) ?? rest, default: 0] += 1
        }
        let violation = world.ledger.violations.first
        return SimulationReport(
            plan: plan,
            violation: violation,
            violatedAfter: violation.map { _ in world.now - begin },
            outcomes: outcomes,
            statistics: world.statistics,
            digest: world.digest,
            steps: world.timeline
        )
    }
}
