import WorkflowTesting

/// What came of 20 simulated worlds of guests who book seats.
struct SeatWorlds {
    /// The number of bookings by outcome.
    private(set) var outcomes: [String: Int] = [:]
    /// The guarantees that were broken, with the seeds of their worlds.
    private(set) var violations: [String] = []

    /// Runs the worlds.
    init(of simulation: Simulation<SeatScenario>) {
        for seed in UInt64(1)...20 {
            let plan = SimulationPlan(seed: seed, nodes: 2, sessions: 6, minutes: 30)
            let report = simulation.run(plan)
            outcomes.merge(report.outcomes) { $0 + $1 }
            if let violation = report.violation { violations.append("seed \(seed): \(violation)") }
        }
    }

    /// The exit status: 1 if a guarantee was broken, so that scripts notice it.
    var status: Int32 { violations.isEmpty ? 0 : 1 }
}
