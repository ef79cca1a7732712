import SwedbankPay
import Testing
import WorkflowTesting

/// What an operator may state about money whose outcome is unknown.
@Suite struct ResolutionTests {
    /// A charge of 100.00 kronor whose response was lost.
    private var unknown: DeciderSpec {
        var opened = CheckoutOpened.sample(presents: false)
        opened.terms.purpose = PaymentOrderPurpose.recur.rawValue
        return payment().when(.checkout(.open(opened))).when(outcome: .lost)
    }

    private func found(
        _ verdict: MoneyResolution.Verdict,
        _ amount: Amount? = nil,
        secondPerson: String? = nil,
        evidence: String? = "admin: looked up"
    ) -> SessionCommand {
        .recordOperator(
            OperatorActed(
                by: "anna",
                action: OperatorActed.resolving,
                reason: evidence,
                resolution: MoneyResolution(
                    verdict: verdict,
                    amount: amount,
                    secondPerson: secondPerson
                )
            )
        )
    }

    @Test(arguments: [MoneyResolution.Verdict.paid, .refunded])
    func `a finding of more than the payment's amount is refused, of all or part of it accepted`(
        verdict: MoneyResolution.Verdict
    ) {
        #expect(unknown.state.money.amount == 10_000)
        unknown.when(found(verdict, 10_001)).then(rejected: .malformedStatement(.amount))
        unknown.when(found(verdict, -1)).then(rejected: .malformedStatement(.amount))
        for amount: Amount? in [nil, 1, 10_000] {
            unknown.when(found(verdict, amount)).then(types: "operatorActed")
        }
    }

    @Test func `a finding that a payment is not paid has no amount`() {
        unknown.when(found(.notPaid, 10_000)).then(rejected: .malformedStatement(.amount))
        unknown.when(found(.notPaid)).then(types: "operatorActed")
    }

    @Test func `the second person is not the operator`() {
        unknown.when(found(.paid, secondPerson: "anna"))
            .then(rejected: .malformedStatement(.secondPerson))
        unknown.when(found(.paid, secondPerson: "kim")).then(types: "operatorActed")
    }

    @Test func `a finding needs evidence and unknown money, or an earlier finding to correct`() {
        unknown.when(found(.paid, evidence: nil)).then(rejected: .reasonMissing)
        unknown.when(order: .paid()).when(found(.paid)).then(rejected: .nothingUnknown)
        let corrected = unknown.when(found(.notPaid)).when(found(.paid))
        corrected.then(types: "operatorActed")
        #expect(corrected.state.money.standing == .confirmed)
    }

    @Test func `a correction of a finding obeys the same rules`() {
        let resolved = unknown.when(found(.paid, 10_000))
        resolved.when(found(.paid, 10_001)).then(rejected: .malformedStatement(.amount))
        resolved.when(found(.refunded, secondPerson: "anna"))
            .then(rejected: .malformedStatement(.secondPerson))
    }
}
