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
        by operatorName: String = "anna",
        evidence: String? = "admin: looked up"
    ) -> SessionCommand {
        .recordOperator(
            OperatorActed(
                by: operatorName,
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

    @Test func `the second person is somebody with a name, and not the operator`() {
        unknown.when(found(.paid, secondPerson: "anna"))
            .then(rejected: .malformedStatement(.secondPerson))
        unknown.when(found(.paid, secondPerson: ""))
            .then(rejected: .malformedStatement(.secondPerson))
        unknown.when(found(.paid, secondPerson: "kim")).then(types: "operatorActed")
    }

    @Test(
        arguments: [
            "Anna", " anna ", "an na", "a.n-n_a", "anna@office", "ａｎｎａ", "аnnа", "ánna",
            "a\u{301}nna",
            "αnnα", "an\u{200D}na", "anna\u{FE0F}", "𝐚𝐧𝐧𝐚", "ANNA\u{FF20}x", "\u{AD}anna", "-",
            "@anna",
        ]
    )
    func `the second person is not the operator in another spelling, or nobody`(name: String) {
        for by in ["anna", "Anna", "anna@shop-1"] {
            unknown.when(found(.paid, secondPerson: name, by: by))
                .then(rejected: .malformedStatement(.secondPerson))
        }
    }

    @Test(arguments: ["kim", "Anna Berg", "anna2", "Hanna", "Анна", "安娜", "อันนา", "Ann"])
    func `the second person is anybody else`(name: String) {
        unknown.when(found(.paid, secondPerson: name)).then(types: "operatorActed")
    }

    @Test func `a finding needs evidence and unknown money, or an earlier finding to correct`() {
        unknown.when(found(.paid, evidence: nil)).then(rejected: .reasonMissing)
        unknown.when(order: .paid()).when(found(.paid)).then(rejected: .nothingUnknown)
        let corrected = unknown.when(found(.notPaid)).when(found(.paid))
        corrected.then(types: "operatorActed")
        #expect(corrected.state.money.standing == .confirmed)
    }

    @Test func `evidence with a secret, and an operator without a name on one line, are refused`() {
        unknown.when(found(.paid, evidence: "admin: 4111 1111 1111 1111"))
            .then(rejected: .malformedStatement(.evidence))
        unknown.when(found(.paid, by: "")).then(rejected: .malformedStatement(.name))
        unknown.when(found(.paid, by: "an\nna")).then(rejected: .malformedStatement(.name))
        unknown.when(found(.paid, by: "shop@ip-172-31-45-67")).then(types: "operatorActed")
        // The PSP's own numbers and pages are evidence, but not a reason for another action.
        let seen = "transaction 70100366758, https://admin.psp.example/orders"
        unknown.when(found(.paid, evidence: seen)).then(types: "operatorActed")
        unknown.when(.recordOperator(OperatorActed(by: "anna", action: "reveal", reason: seen)))
            .then(rejected: .malformedStatement(.reason))
    }

    @Test func `a correction of a finding obeys the same rules`() {
        let resolved = unknown.when(found(.paid, 10_000))
        resolved.when(found(.paid, 10_001)).then(rejected: .malformedStatement(.amount))
        resolved.when(found(.refunded, secondPerson: "anna"))
            .then(rejected: .malformedStatement(.secondPerson))
    }
}
