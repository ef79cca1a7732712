import EventLog
import Testing
import Workflow
import WorkflowTesting

@testable import OwnWorkflow

/// A custom workflow in the simulated worlds of payments.
@Suite struct SeatWorldTests {
    private static let settings = SimulationSettings(SeatScenario())

    @Test(arguments: [1, 2, 3])
    func `in random worlds no guest is held two seats, and every booking ends`(nodes: Int) {
        let simulation = Simulation(settings: Self.settings)
        var (statistics, outcomes) = (SimulationStatistics(), [String: Int]())
        for seed in UInt64(1)...120 {
            let plan = SimulationPlan(seed: seed, nodes: nodes, sessions: 6, minutes: 30)
            let report = simulation.run(plan)
            #expect(report.violation == nil, "seed \(seed)")
            statistics.add(report.statistics)
            outcomes.merge(report.outcomes) { $0 + $1 }
        }
        #expect(Set(outcomes.keys).isSuperset(of: ["confirmed", "lapsed", "soldOut"]))
        #expect(statistics.crashes > 50 && statistics.lostResponses > 20)
        #expect(statistics.tornWrites > 0)
        #expect(nodes == 1 || (statistics.takeovers > 50 && statistics.conflicts > 0))
    }

    @Test(arguments: [1, 2, 3])
    func `a theatre that is not idempotent still holds only one seat per guest`(nodes: Int) {
        var faults = SimulatedFaults.stormy
        faults.isProviderCareless = true
        faults.answerLost = 150
        faults.crash = 20
        faults.workAfterDeath = 1000
        let simulation = Simulation(settings: Self.settings)
        for seed in UInt64(1)...60 {
            let plan = SimulationPlan(seed: seed, nodes: nodes, minutes: 30, faults: faults)
            #expect(simulation.run(plan).violation == nil, "seed \(seed)")
        }
    }

    @Test(arguments: SimulatedFaults.allNames)
    func `each fault on its own breaks no guarantee`(name: String) {
        var faults = SimulatedFaults.none
        faults[name] = 200
        let simulation = Simulation(settings: Self.settings)
        for seed in UInt64(1)...5 {
            let plan = SimulationPlan(seed: seed, nodes: 2, minutes: 10, faults: faults)
            #expect(simulation.run(plan).violation == nil, "seed \(seed)")
        }
    }

    @Test(arguments: SeatMutation.allCases)
    func `each mutation of the engine is detected by the guarantee that it breaks`(
        mutation: SeatMutation
    ) {
        let simulation = Simulation(settings: Self.settings, driver: SeatDriver(mutation))
        var faults = SimulatedFaults.stormy
        faults.isProviderCareless = true
        faults.answerLost = 150
        faults.forgedLog = 200
        let names = mutation.guarantees.map(\.rawValue)
        var caught: [String] = []
        for seed in UInt64(1)...20 where !caught.contains(names[0]) {
            let report = simulation.run(SimulationPlan(seed: seed, minutes: 30, faults: faults))
            guard let violation = report.violation else { continue }
            #expect(names.contains(violation.guarantee), "\(violation)")
            caught.append(violation.guarantee)
        }
        #expect(caught.contains(names[0]), "\(mutation) is caught by \(caught)")
    }

    @Test func `the example exits with 1 when a guarantee is broken`() {
        let driver = SeatDriver(.recordAfterSending)
        let broken = SeatWorlds(of: Simulation(settings: Self.settings, driver: driver))
        #expect(broken.status == 1)
        #expect(broken.violations.allSatisfy { $0.contains("durableFirst") })
    }

    @Test func `the same seed gives the same history, and another seed a different one`() {
        let simulation = Simulation(settings: Self.settings)
        let one = simulation.run(SimulationPlan(seed: 7, nodes: 3))
        #expect(one.digest == simulation.run(SimulationPlan(seed: 7, nodes: 3)).digest)
        #expect(one.digest != simulation.run(SimulationPlan(seed: 8, nodes: 3)).digest)
    }

    @Test func `an invariant of the workflow is checked, and its violation names it`() {
        var settings = Self.settings
        settings.invariants = [
            SimulationInvariant("nobodyGetsASeat") { moment in
                moment.scenario.seats.isEmpty ? nil : "somebody got a seat"
            }
        ]
        let report = Simulation(settings: settings).run(SimulationPlan(seed: 1, faults: .none))
        #expect(report.violation?.guarantee == "nobodyGetsASeat")
    }
}
