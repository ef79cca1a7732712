// The engine without payments: guests book seats at a theatre, in worlds with every kind of fault.
//
// The rules are in SeatRules.swift. Documentation/own-workflow.md explains them, and how a real
// engine runs them.

import Glibc
import WorkflowTesting

let worlds = SeatWorlds(of: Simulation(settings: SimulationSettings(SeatScenario())))
for violation in worlds.violations { print(violation) }
let counts = worlds.outcomes.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
print(
    "20 worlds: \(counts.joined(separator: ", ")); \(worlds.violations.count) guarantees broken"
)
exit(worlds.status)
