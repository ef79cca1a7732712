import EventLog
import Testing
import WorkflowTesting

@testable import Inspection
@testable import SwedbankPay

/// What may be done next in a session, according to its view.
@Suite struct PossibleStepTests {
    private func view(_ spec: DeciderSpec) -> SessionView {
        SessionView(spec.state, by: spec.decider, disclosing: .masked)
    }

    /// Returns the names of the possible steps.
    private func steps(_ view: SessionView) -> [String] {
        view.possibleSteps.map { step in
            switch step {
            case .report(let action): "report \(action.kind)"
            case .pay(let method): "pay \(method.instrument.rawValue)"
            case .capture(let again): "capture" + (again ? " again" : "")
            case .refund(let again): "refund" + (again ? " again" : "")
            case .retry, .payOnPage, .payNatively, .wait, .abort: "\(step)"
            }
        }
    }

    @Test func `the payer can choose a method, the PSP's page, or to abort`() {
        let ready = view(payment().ready(.withSwish))
        #expect(steps(ready) == ["pay swish", "payOnPage", "abort"])
    }

    @Test func `a paid order can be captured`() {
        let shown = payment().when(.checkout(.open(.sample()))).when(order: .sample, status: 201)
        #expect(steps(view(shown)) == ["report showMenu", "abort"])
        let paid = shown.when(client: .completed).when(order: .paid())
        #expect(steps(view(paid)) == ["capture"])
    }

    @Test func `an imported session is not driven, whatever its log says`() {
        var failed = view(payment().when(.open(.sample())))
        let problem = Problem(origin: .engine, kind: .requestFailed, isRetryable: true, actor: .psp)
        failed.problem = CurrentProblem(problem: problem, sequence: 1)
        #expect(steps(failed) == ["retry", "wait"])
        #expect(ViewText(failed, style: .plain).text.words.contains("'retry' is possible"))
        failed.isImported = true
        #expect(steps(failed) == [])
        #expect(!ViewText(failed, style: .plain).text.words.contains("'retry' is possible"))
    }
}
