import Adapters
import SwedbankPay
import Testing
import Workflow
import WorkflowTesting

/// The app performs every client action, but one payer in four closes the issuer's page.
struct OurApp: SimulatedClient {
    private var ordinary = OrdinaryClient()

    mutating func sees(
        _ screen: inout ClientScreen,
        using dice: inout SplitMix64
    ) -> [ClientAct] {
        var acts: [ClientAct] = []
        for act in ordinary.sees(&screen, using: &dice) {
            guard case .report(let report) = act.input,
                case .challengeCompleted = report.outcome, dice.next() % 4 == 0
            else {
                acts.append(act)
                continue
            }
            let closed = ActionReport(action: report.action, outcome: .failed(error: nil))
            acts.append(ClientAct(after: act.pause, .report(closed)))
        }
        return acts
    }
}

@Suite struct HostWorldTests {
    /// The host's configuration: fewer attempts, and a rule of its own for declined cards.
    private func ourSettings() throws -> SimulationSettings<PaymentScenario> {
        let rules = """
            [{"slug": "creditcard/carddeclined", "class": "otherInstrument", "delaySeconds": 60}]
            """
        let catalogue = try ProblemCatalogue.bundled.overridden(by: Array(rules.utf8))
        var limits = SessionLimits()
        limits.attempts = 2
        let decider = SessionDecider(catalogue: catalogue, limits: limits)
        var settings = SimulationSettings(decider: decider)
        settings.engineLimits.queuedInputs = 8
        settings.client = OurApp()
        return settings
    }

    @Test func `our payers never pay twice under any simulated fault`() throws {
        var settings = try ourSettings()
        settings.invariants = [
            SimulationInvariant("twoAttemptsAtMost") { moment in
                moment.attemptsSeen > 2 ? "the PSP saw \(moment.attemptsSeen) attempts" : nil
            }
        ]
        let simulation = Simulation(settings: settings)
        var completed = 0
        for seed in UInt64(1)...20 {
            let report = simulation.run(SimulationPlan(seed: seed, sessions: 3, minutes: 15))
            let world = report.plan.arguments.joined(separator: " ")
            #expect(report.violation == nil, "\(world)")
            completed += report.outcomes["completed", default: 0]
        }
        #expect(completed > 20)
    }
}
