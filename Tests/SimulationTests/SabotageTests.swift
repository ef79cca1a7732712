import Testing
import Workflow
import WorkflowTesting

/// The simulator finds what it is there to find: engines that are broken on purpose don't pass.
@Suite struct SabotageTests {
    /// How many worlds a broken engine may get through before it is caught.
    static let worlds = UInt64(25)

    @Test(arguments: Sabotage.allCases)
    func `an engine that breaks a guarantee is caught`(sabotage: Sabotage) throws {
        var faults = SimulatedWorld.Faults.stormy
        faults.answerLost = 150
        faults.isProviderCareless = true
        var caught: String?
        for seed in UInt64(1)...Self.worlds where caught == nil {
            do {
                try SimulationTests.run(
                    seed: seed,
                    faults: faults,
                    nodes: 2,
                    driver: SabotagedDriver(sabotage)
                )
            } catch let broken as SimulationTests.Broken {
                caught = broken.description
            }
        }
        let found = try #require(caught, "\(sabotage) went through \(Self.worlds) worlds")
        #expect(
            sabotage.breaks.contains { found.contains(": \($0): ") },
            "\(found.prefix(200))"
        )
    }

    @Test func `the same worlds are no trouble for an engine that is not broken`() throws {
        var faults = SimulatedWorld.Faults.stormy
        faults.answerLost = 150
        faults.isProviderCareless = true
        for seed in UInt64(1)...Self.worlds {
            try SimulationTests.run(seed: seed, faults: faults, nodes: 2)
        }
    }
}
