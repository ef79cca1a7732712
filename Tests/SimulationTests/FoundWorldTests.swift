import Testing
import WorkflowTesting

/// Worlds in which long sweeps once found a violated guarantee.
@Suite struct FoundWorldTests {
    static let plans = [
        // An engine whose lease had expired recorded late that a read was lost; the one that had
        // taken over and read the session itself dropped its response for that and read again at
        // once.
        SimulationPlan(seed: 500_173, nodes: 3, sessions: 4),
        // The same, with an engine that was informed of the loss of its lease and then wrote the
        // failure without one.
        SimulationPlan(seed: 100_951, nodes: 2, sessions: 6),
        // A capture whose requests all failed was never settled: its money stayed unknown, and the
        // same problem was recorded again with every read.
        SimulationPlan(seed: 200_130, nodes: 1, sessions: 6),
    ]

    @Test(arguments: plans)
    func `a world that once violated a guarantee no longer violates any`(plan: SimulationPlan) {
        let report = Simulation().run(plan)
        #expect(report.violation == nil)
        #expect(report.statistics.steps > 400)
    }
}
