import Inspection
import Testing
import WorkflowTesting

@testable import SwedbankPay

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

    /// Expects that the command is recorded as it was given.
    private func isRecorded(_ command: SessionCommand, in spec: DeciderSpec) {
        guard case .recordOperator(let acted) = command else { return }
        spec.when(command).then(.operatorActed(acted))
    }

    @Test(arguments: [MoneyResolution.Verdict.paid, .refunded])
    func `a finding of more than the payment's amount is refused, of all or part of it accepted`(
        verdict: MoneyResolution.Verdict
    ) {
        #expect(unknown.state.money.amount == 10_000)
        unknown.when(found(verdict, 10_001)).then(rejected: .malformedStatement(.amount))
        unknown.when(found(verdict, -1)).then(rejected: .malformedStatement(.amount))
        for amount: Amount? in [nil, 1, 10_000] {
            isRecorded(found(verdict, amount), in: unknown)
        }
    }

    @Test func `where a part was found to be paid, the merchant decides what becomes of the rest`()
    {
        let stuck = unknown.when(outcome: .refused(400))
        let due = stuck.state.money.amount
        let part = stuck.when(found(.paid, 5_000))
        #expect(part.state.money.taken?.amount == 5_000 && due == 10_000)
        #expect(MoneyWords(part.state.money).sentences.contains("The order was for 100.00 SEK."))
        let closing = OperatorActed(by: "anna", action: SessionDecider.closing, reason: "found")
        let closed = part.when(.close(closing))
        #expect(closed.decider.whoseTurn(in: closed.state) == .merchant)
        let whole = stuck.when(found(.paid)).when(.close(closing))
        #expect(whole.state.outcome != nil && closed.state.outcome != nil)
        #expect(whole.decider.whoseTurn(in: whole.state) == .nobody)
    }

    @Test func `a payer whose payment was found to be refunded is told that`() {
        // A charge has no payer; the texts are those of a payment.
        func message(_ amount: Amount?) -> String? {
            var money = unknown.when(found(.refunded, amount)).state.money
            money.isVerification = false
            return PayerGuidance(money: money, outcome: nil, problem: nil).message
        }
        #expect(message(nil) == "The payment was refunded.")
        #expect(message(10_000) == "The payment was refunded.")
        #expect(message(4_000) == "Part of the payment was refunded.")
    }

    @Test func `a finding that a payment is not paid has no amount`() {
        unknown.when(found(.notPaid, 10_000)).then(rejected: .malformedStatement(.amount))
        isRecorded(found(.notPaid), in: unknown)
    }

    @Test func `the second person is somebody with a name, and not the operator`() {
        unknown.when(found(.paid, secondPerson: "anna"))
            .then(rejected: .malformedStatement(.secondPerson))
        unknown.when(found(.paid, secondPerson: ""))
            .then(rejected: .malformedStatement(.secondPerson))
        isRecorded(found(.paid, secondPerson: "kim"), in: unknown)
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
        isRecorded(found(.paid, secondPerson: name), in: unknown)
    }

    @Test func `a proposal counts once another person confirms the same`() {
        func acted(
            _ action: String,
            _ verdict: MoneyResolution.Verdict = .paid,
            by name: String,
            of other: String? = nil
        ) -> SessionCommand {
            .recordOperator(
                OperatorActed(
                    by: name,
                    action: action,
                    reason: "admin: looked up",
                    resolution: MoneyResolution(verdict: verdict, secondPerson: other)
                )
            )
        }
        let (proposing, confirming) = (
            OperatorActed.proposingResolution, OperatorActed.confirmingResolution
        )
        let refusal = Rejection.malformedStatement(.secondPerson)
        unknown.when(acted(confirming, by: "kim", of: "anna")).then(rejected: refusal)
        let proposed = unknown.when(acted(proposing, by: "anna@shop.example"))
        #expect(proposed.state.money.standing == .unknown)
        #expect(proposed.state.proposedResolution?.by == "anna@shop.example")
        for (name, other) in [("Anna", "anna@shop.example"), ("kim", "lee"), ("kim", nil)] {
            proposed.when(acted(confirming, by: name, of: other)).then(rejected: refusal)
        }
        proposed.when(acted(confirming, .notPaid, by: "kim", of: "anna@shop.example"))
            .then(rejected: refusal)
        let confirmed = proposed.when(acted(confirming, by: "kim", of: "anna@shop.example"))
        #expect(confirmed.state.money.standing == .confirmed)
        #expect(confirmed.state.proposedResolution == nil)
        // What the PSP shows meanwhile makes a proposal void.
        let corrected = unknown.when(found(.notPaid)).when(acted(proposing, by: "anna"))
        #expect(corrected.state.money.standing != .unknown)
        #expect(corrected.when(found(.paid)).state.proposedResolution == nil)
    }

    @Test func `a finding needs evidence and unknown money, or an earlier finding to correct`() {
        unknown.when(found(.paid, evidence: nil)).then(rejected: .reasonMissing)
        unknown.when(order: .paid()).when(found(.paid)).then(rejected: .nothingUnknown)
        let corrected = unknown.when(found(.notPaid)).when(found(.paid))
        isRecorded(found(.paid), in: unknown.when(found(.notPaid)))
        #expect(corrected.state.money.standing == .confirmed)
    }

    @Test func `evidence with a secret, and an operator without a name on one line, are refused`() {
        unknown.when(found(.paid, evidence: "admin: 4111 1111 1111 1111"))
            .then(rejected: .malformedStatement(.evidence))
        unknown.when(found(.paid, by: "")).then(rejected: .malformedStatement(.name))
        unknown.when(found(.paid, by: "an\nna")).then(rejected: .malformedStatement(.name))
        isRecorded(found(.paid, by: "shop@ip-172-31-45-67"), in: unknown)
        // The PSP's own numbers and pages are evidence, but not a reason for another action.
        let seen = "transaction 70100366758, https://admin.psp.example/orders"
        isRecorded(found(.paid, evidence: seen), in: unknown)
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
