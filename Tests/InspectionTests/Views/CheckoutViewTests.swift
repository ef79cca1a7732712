import Inspection
import SwedbankPay
import TestSupport
import Testing
import WorkflowTesting

/// The stage of a checkout, in the words of the mobile SDKs.
@Suite struct CheckoutViewTests {
    private func stage(_ spec: DeciderSpec) -> CheckoutView.Stage? {
        SessionView(spec.state, by: spec.decider, disclosing: .masked).checkout?.stage
    }

    private func checkout(_ opened: CheckoutOpened = .sample()) -> DeciderSpec {
        payment().when(.checkout(.open(opened)))
    }

    private let lost = ProviderResponse.Outcome.failed(
        reach: .notSent,
        code: "http.connect",
        isTransient: true
    )

    @Test(.feature("V-01", "V-02")) func `each state of a checkout maps to its stage`() {
        let created = checkout(.sample(presents: false)).when(order: .sample)
        #expect(stage(created) == .idle)
        let shown = created.when(.menu(.menu))
        #expect(stage(shown) == .inProgress)
        let locked = checkout(.sample(instrument: .creditCard))
            .when(order: .locked(to: .creditCard))
        let updating = locked.when(.checkout(.instrument(.swish)))
        #expect(stage(updating) == .updatingPaymentOrder)
        #expect(stage(updating.when(order: .locked(to: .swish))) == .inProgress)
        #expect(stage(shown.when(client: .completed).when(order: .paid())) == .complete)
        let aborted = shown.when(.abort(by: "payer")).when(order: .sample.with(.aborted))
        #expect(stage(aborted) == .canceled)
        var failing = checkout()
        for _ in 0..<20 where failing.state.problem == nil {
            failing = failing.when(outcome: lost)
        }
        #expect(stage(failing) == .retryableError)
        // The previous action is repeated.
        #expect(stage(failing.when(.retry(by: "payer")).when(order: .sample)) == .inProgress)
        var broken = OrderSnapshot.sample
        broken.operations = []
        #expect(stage(checkout().when(order: broken)) == .failure)
    }

    @Test func `a view's confirmed is nil until the order is confirmed or contradicted`() {
        func confirmed(_ spec: DeciderSpec) -> Bool? {
            SessionView(spec.state, by: spec.decider, disclosing: .masked).confirmed
        }
        let shown = checkout().when(order: .sample)
        #expect(confirmed(shown) == nil)
        #expect(confirmed(shown.when(client: .completed).when(order: .paid())) == true)
        let mismatch = shown.when(client: .completed).when(order: .paid(amount: 1))
        #expect(confirmed(mismatch) == false)
    }
}
