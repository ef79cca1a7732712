import Testing
import WorkflowTesting

/// Worlds in which long sweeps once found a guarantee broken.
@Suite struct FoundWorldTests {
    static let plans = [
        // An engine whose lease had run out recorded late that a reading was lost; the one that had
        // taken over and read the session itself dropped its answer for that and read again at
        // once.
        SimulationPlan(seed: 500_173, nodes: 3, sessions: 4),
        // The same, of an engine that was told of the loss of its lease and then wrote the failure
        // without one.
        SimulationPlan(seed: 100_951, nodes: 2, sessions: 6),
        // A capture whose requests all came to nothing was never settled: its money stayed unknown
        // for good, and the same problem was recorded anew with every reading.
        SimulationPlan(seed: 200_130, nodes: 1, sessions: 6),
    ]

    @Test(arguments: plans)
    func `a world that once broke a guarantee keeps them all`(plan: SimulationPlan) {
        let report = Simulation().run(plan)
        #expect(report.violation == nil)
        #expect(report.statistics.steps > 400)
    }
}
