import Testing
import WorkflowTesting

/// Worlds in which long sweeps once found a guarantee broken.
@Suite struct FoundWorldTests {
    static let plans = [
        // An engine whose lease had run out recorded late that a reading was lost; the one that had taken over and read the
        // session itself dropped its answer for that and read again at once.
        SimulationPlan(seed: 500_173, nodes: 3, sessions: 4)
    ]

    @Test(arguments: plans)
    func `a world that once broke a guarantee keeps them all`(plan: SimulationPlan) {
        let report = Simulation().run(plan)
        #expect(report.violation == nil)
        #expect(report.statistics.steps > 1000)
    }
}
