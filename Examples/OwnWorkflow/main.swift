// The engine without payments: guests book seats at a theatre, in worlds with every kind of fault.
//
// The rules are in SeatRules.swift. Documentation/own-workflow.md explains them, and how a real
// engine runs them.

import Workflow
import WorkflowTesting

let simulation = Simulation(settings: SimulationSettings(SeatScenario()))
var outcomes: [String: Int] = [:]
var broken = 0
for seed in UInt64(1)...20 {
    let report = simulation.run(SimulationPlan(seed: seed, nodes: 2, sessions: 6, minutes: 30))
    outcomes.merge(report.outcomes) { $0 + $1 }
    guard let violation = report.violation else { continue }
    broken += 1
    print("seed \(seed): \(violation)")
}
let counts = outcomes.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
print("20 worlds: \(counts.joined(separator: ", ")); \(broken) guarantees broken")
