import EventLog
import SwedbankPay
import TestSupport
import Testing
import WorkflowTesting

/// Responses that contradict what is known of the payment are not used.
@Suite(.feature("M-09")) struct IdentityTests {
    /// A view in a currency.
    private func view(_ snapshot: Snapshot, in currency: String) -> Snapshot {
        var view = snapshot
        view.particulars.currency = currency
        return view
    }

    @Test func `a view in another currency than the first does not complete the payment`() {
        let ready = payment().when(.open(.sample()))
            .when(response: view(.unprepared, in: "SEK"))
            .when(response: view(.withSwish, in: "SEK"))
        let read = ready.when(.returned(.original)).when(response: view(.paid, in: "EUR"))
        #expect(read.count("completed") == 0)
        #expect(read.state.money.standing != .confirmed)
        #expect(read.state.money.currency == "SEK")
        let failure = read.log.last { $0.event.typeName == "operationFailed" }
        guard case .operationFailed(let failed)? = failure?.event else {
            Issue.record("no failure was recorded")
            return
        }
        #expect(failed.code == "answer.other-currency")
        // The same view in the payment's currency completes it.
        let own = ready.when(.returned(.original)).when(response: view(.paid, in: "SEK"))
        #expect(own.state.money.standing == .confirmed)
    }

    @Test func `a session that names another currency than it was opened with is refused`() {
        var opened = Opened.sample()
        (opened.amount, opened.currency) = (64_900, "EUR")
        var spec = payment().when(.open(opened))
        for _ in 0..<20 where spec.state.problem == nil {
            spec = spec.when(response: view(.unprepared, in: "SEK"))
        }
        #expect(spec.state.problem?.problem.code == "answer.other-currency")
        #expect(spec.state.problem?.problem.actor == .merchant)
        #expect(spec.count("fetched") == 0)
        #expect(spec.state.money.currency == "EUR" && spec.state.money.amount == 64_900)
    }

    @Test(arguments: ["currency", "orderReference"])
    func `an order with another currency or order reference is not confirmed`(member: String) {
        var opened = CheckoutOpened.sample()
        opened.terms.orderReference = "order-1"
        let shown = payment().when(.checkout(.open(opened))).when(order: .sample)
        var other = OrderSnapshot.paid()
        other.paid?.orderReference = "order-1"
        let own = shown.when(client: .completed).when(order: other)
        #expect(own.state.money.standing == .confirmed)
        if member == "currency" { other.currency = "EUR" }
        if member == "orderReference" { other.paid?.orderReference = "order-2" }
        let read = shown.when(client: .completed).when(order: other)
        #expect(read.state.money.standing != .confirmed)
        #expect(read.count("operationFailed") == 1 && read.count("completed") == 0)
    }
}
