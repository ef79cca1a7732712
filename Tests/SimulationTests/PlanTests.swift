import SwedbankPay
import Testing
import WorkflowTesting

/// Plans of simulated worlds: as text, executed, and reduced.
@Suite struct PlanTests {
    @Test func `a list of faults is read from left to right and written in its shortest form`()
        throws
    {
        #expect(try SimulatedFaults(text: "all") == .stormy)
        #expect(try SimulatedFaults(text: "none") == SimulatedFaults.none)
        let some = try SimulatedFaults(text: "crash, answerLost=150")
        #expect(some["answerLost"] == 150)
        #expect(some["crash"] == SimulatedFaults.stormy["crash"])
        #expect(some["hang"] == 0)
        let most = try SimulatedFaults(text: "all,crash=0")
        #expect(most["crash"] == 0 && most["hang"] == SimulatedFaults.stormy["hang"])
        for faults in [.stormy, .none, some, most] as [SimulatedFaults] {
            #expect(try SimulatedFaults(text: faults.text) == faults, "\(faults.text)")
        }
        #expect(some.text == "answerLost=150,crash")
    }

    @Test(arguments: [
        ("rain", FaultListError.unknown("rain")), ("crash=", .badNumber(name: "crash")),
        ("crash=-1", .badNumber(name: "crash")), ("hang,crash=1001", .badNumber(name: "crash")),
        ("crash=1=2,hail", .badNumber(name: "crash")), ("all=3", .unknown("all")),
        ("none=1", .unknown("none")), ("", .unknown("")), ("all,,none", .unknown("")),
    ])
    func `an invalid list of faults is refused, naming its first invalid part`(
        text: String,
        fault: FaultListError
    ) {
        #expect(throws: fault) { try SimulatedFaults(text: text) }
    }

    @Test func `a plan's numbers are clamped to their bounds`() {
        let plan = SimulationPlan(seed: 1, nodes: 0, sessions: .max, minutes: -3)
        #expect(plan.nodes == 1 && plan.minutes == 1)
        #expect(plan.sessions == SimulationPlan.Bounds.sessions.upperBound)
    }

    @Test func `the same plan gives the same report`() {
        let plan = SimulationPlan(seed: 5, nodes: 3)
        var simulation = Simulation()
        simulation.recordsSteps = true
        let (one, two) = (simulation.run(plan), simulation.run(plan))
        #expect(one.digest == two.digest && one.steps == two.steps)
        #expect(one.outcomes == two.outcomes && one.statistics == two.statistics)
        #expect(one.steps.count > 100 && one.outcomes.values.reduce(0, +) == plan.sessions)
        var next = plan
        next.seed += 1
        #expect(simulation.run(next).digest != one.digest)
    }

    @Test func `a violation in a large world is reduced to a world with one session and one node`()
        throws
    {
        let simulation = Simulation(driver: MutatedDriver(.performBeforeAppend))
        let failing = simulation.run(SimulationPlan(seed: 3, nodes: 3, sessions: 8))
        #expect(failing.violation?.guarantee == "durableFirst")
        let small = PlanShrinker().shrink(failing) { simulation.run($0) }
        #expect(small.violation?.guarantee == "durableFirst")
        #expect(small.plan.sessions == 1 && small.plan.nodes == 1)
        #expect(small.plan.faults == SimulatedFaults.none)
        #expect(small.plan.minutes == 1)
        #expect(simulation.run(small.plan).digest == small.digest)
    }

    @Test func `a host's own invariant is checked, and its violation is reported by name`() throws {
        var simulation = Simulation()
        simulation.settings.invariants = [
            SimulationInvariant("nobodyPays") { moment in
                moment.payments > 0 ? "somebody paid" : nil
            }
        ]
        let report = simulation.run(SimulationPlan(seed: 1, faults: .none))
        #expect(report.violation?.guarantee == "nobodyPays")
        #expect(report.violation?.explanation.contains("somebody paid") == true)
    }
}
