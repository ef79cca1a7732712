// Tests your own flow in worlds with every kind of fault: lost responses, crashes, full disks,
// clocks that jump. The engine in them is the real one; network, PSP, disk, time and payers are
// simulated, so an hour takes a moment.
//
// The flow here: an app whose payers sometimes close the issuer's page, with at most two attempts.

import Adapters
import Glibc
import SwedbankPay
import Workflow
import WorkflowTesting

/// An app that performs its actions, but one payer in four closes the issuer's page.
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
            let closed = ActionReport(action: report.action, outcome: .canceled)
            return ClientAct(after: act.pause, .report(closed))
        }
    }
}

var limits = SessionLimits()
limits.attempts = 2
var settings = SimulationSettings(decider: SessionDecider(catalogue: .bundled, limits: limits))
settings.client = OurApp()
// What must hold in our shop, in addition to everything that the engine guarantees.
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
exit(broken == 0 ? 0 : 1)
