import SwedbankPay
import Testing

@testable import SwedbankPayHTTP

/// What the catalogue says about charging a stored token again.
@Suite struct ChargeLimitTests {
    private func advice(_ slug: String, _ status: Int? = 403) -> ProblemAdvice {
        ProblemCatalogue.bundled.advice(
            type: ProblemCatalogue.typePrefix + slug,
            status: status,
            instrument: nil
        )
    }

    @Test func `a problem that must not be retried is never charged again`() {
        #expect(advice("creditcard/acquirererrordonotretry").chargeAgain == .never)
        #expect(advice("creditcard/acquirererrordonotretry").delay == .seconds(30 * 86_400))
        #expect(advice("paymentorders/paymenttokeninactive", 422).chargeAgain == .never)
        #expect(advice("paymentorders/inputerror", 404).chargeAgain == .never)
        // The same type with 400 concerns the order, not its token.
        #expect(advice("paymentorders/inputerror", 400).chargeAgain == nil)
    }

    @Test
    func `a card over its limit waits, a soft decline needs the payer, another may be retried`() {
        #expect(advice("creditcard/dailylimitexceeded").chargeAgain == .later)
        #expect(advice("creditcard/dailylimitexceeded").delay == .seconds(86_400))
        #expect(advice("creditcard/monthlylimitexceeded").chargeAgain == .later)
        #expect(advice("creditcard/monthlylimitexceeded").delay == .seconds(30 * 86_400))
        #expect(advice("creditcard/authenticationrequired").chargeAgain == .withPayer)
        #expect(advice("creditcard/acquirerinsufficientfunds").chargeAgain == nil)
    }

    @Test func `the card schemes' charge limits are those that the PSP documents`() {
        let month = Duration.seconds(30 * 86_400)
        #expect(
            Set(ProblemCatalogue.bundled.chargeLimits) == [
                ChargeLimit(scheme: "Mastercard", failures: 10, window: .seconds(86_400)),
                ChargeLimit(scheme: "Mastercard", failures: 35, window: month),
                ChargeLimit(scheme: "Visa", failures: 15, window: month),
            ]
        )
    }

    @Test func `a host may change charge limits and chargeAgain, and invalid values are refused`()
        throws
    {
        let change = """
            [{"slug":"creditcard/dailylimitexceeded","chargeLimits":
              [{"scheme":"Maestro","failures":3,"seconds":3600}]},
             {"slug":"creditcard/carddeclined","chargeAgain":"never"}]
            """
        let changed = try ProblemCatalogue.bundled.overridden(by: Array(change.utf8))
        let maestro = ChargeLimit(scheme: "Maestro", failures: 3, window: .seconds(3600))
        #expect(changed.chargeLimits.contains(maestro) && changed.chargeLimits.count == 3)
        let type = ProblemCatalogue.typePrefix + "creditcard/carddeclined"
        #expect(changed.advice(type: type, status: 403, instrument: nil).chargeAgain == .never)
        for wrong in [
            #""chargeAgain":"sometimes""#, #""chargeLimits":{}"#, #""chargeLimits":[7]"#,
            #""chargeLimits":[{"scheme":"Visa","failures":0,"seconds":1}]"#,
            #""chargeLimits":[{"scheme":"Visa","failures":1}]"#,
            #""chargeLimits":[{"scheme":"Visa","failures":1,"seconds":1,"more":1}]"#,
        ] {
            let data = #"[{"slug":"creditcard/carddeclined",\#(wrong)}]"#
            #expect(throws: ProblemCatalogueError.self, "\(wrong)") {
                try ProblemCatalogue.bundled.overridden(by: Array(data.utf8))
            }
        }
    }
}
