// Tries one's own flow in worlds in which everything goes wrong: lost answers, crashes, full disks,
// clocks that jump. The engine in them is the real one; network, PSP, disk, time and payers are
// made up, so an hour takes a moment.
//
// The flow here: an app whose payers close the bank's page now and then, with two attempts at the
// most.

import Adapters
import SwedbankPay
import Workflow
import WorkflowTesting

/// The app does what it is asked, but one payer in four closes the bank's page.
struct OurApp: SimulatedClient {
    private var ordinary = OrdinaryClient()

    mutating func sees(
        _ screen: inout ClientScreen,
        using dice: inout SplitMix64
    ) -> [ClientAct] {
        ordinary.sees(&screen, using: &dice).map { act in
            guard case .report(let report) = act.input,
                case .challengeCompleted = report.outcome, dice.next() % 4 == 0
            else { return act }
            let closed = ClientReport(action: report.action, outcome: .canceled)
            return ClientAct(after: act.pause, .report(closed))
        }
    }
}

var limits = SessionLimits()
limits.attempts = 2
var settings = SimulationSettings(decider: SessionDecider(catalogue: .bundled, limits: limits))
settings.client = OurApp()
// What must hold in our shop, beside everything that the engine guarantees.
settings.invariants = [
    SimulationInvariant("twoAttemptsAtMost") { moment in
        moment.attemptsSeen > 2 ? "the PSP saw \(moment.attemptsSeen) attempts" : nil
    }
]
let simulation = Simulation(settings: settings)
var completed = 0
var broken = 0
for seed in UInt64(1)...20 {
    let report = simulation.run(SimulationPlan(seed: seed, sessions: 3, minutes: 15))
    completed += report.outcomes["completed", default: 0]
    guard let violation = report.violation else { continue }
    broken += 1
    print("\(violation) with: workflowctl simulate \(report.plan.arguments.joined(separator: " "))")
}
print("20 worlds, \(completed) payments completed, \(broken) guarantees broken")
