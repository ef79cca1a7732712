import Testing
import Workflow
import WorkflowTesting

/// The simulator finds what it is there to find: engines that are broken on purpose don't pass.
@Suite struct MutationTests {
    @Test(arguments: Mutation.allCases)
    func `an engine that breaks a guarantee is caught within the stated number of worlds`(
        mutation: Mutation
    ) throws {
        let simulation = Simulation(driver: MutatedDriver(mutation))
        var caught: SimulationReport?
        for seed in 1...UInt64(Mutation.worlds) where caught == nil {
            let report = simulation.run(SimulationPlan(seed: seed, faults: mutation.faults))
            if report.violation != nil { caught = report }
        }
        let report = try #require(caught, "\(mutation) went through \(Mutation.worlds) worlds")
        let violation = try #require(report.violation)
        #expect(mutation.guarantees.map(\.rawValue).contains(violation.guarantee), "\(violation)")
    }

    @Test func `the same worlds are no trouble for an engine that is not broken`() {
        for faults in Set(Mutation.allCases.map(\.faults)) {
            for seed in UInt64(1)...30 {
                let report = Simulation().run(SimulationPlan(seed: seed, faults: faults))
                #expect(report.violation == nil, "seed \(seed)")
            }
        }
    }

    @Test func `each guarantee has a mutation that is aimed at it`() {
        let aimed = Set(Mutation.allCases.compactMap(\.guarantees.first))
        #expect(aimed == Set(Guarantee.allCases))
    }
}
