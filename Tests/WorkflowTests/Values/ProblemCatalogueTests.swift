import EventLog
import SwedbankPay
import Testing

@Suite struct ProblemCatalogueTests {
    private static func row(
        _ slug: String,
        _ status: Int?,
        _ family: String,
        _ actor: Actor,
        _ message: String,
        retry: Bool = false,
        newAttempt: ProblemAdvice.NewAttempt = .any
    ) -> ProblemCatalogue.Row {
        ProblemCatalogue.Row(
            slug: slug,
            status: status,
            family: family,
            advice: ProblemAdvice(
                actor: actor,
                isRetryable: retry,
                newAttempt: newAttempt,
                payerMessage: message,
                operatorMessage: message,
                isKnown: true
            )
        )
    }

    private let catalogue = ProblemCatalogue(
        rows: [
            row("inputerror", 400, "common", .merchant, "order", newAttempt: .never),
            row("inputerror", 400, "swish", .payer, "number"),
            row("swishdeclined", 403, "swish", .payer, "swish declined"),
            row("paymentorders/inputerror", 400, "paymentorders", .merchant, "validation"),
            row(
                "paymentorders/inputerror",
                404,
                "paymentorders",
                .merchant,
                "token",
                newAttempt: .other
            ),
            row("creditcard/carddeclined", 403, "creditcard", .payer, "card declined"),
            row("creditcard/3dsecureusercancelled", 403, "creditcard", .payer, "cancelled"),
            row("vipps/vipps_declined", 400, "vipps", .payer, "vipps declined"),
        ],
        version: "test"
    )

    private func message(
        _ slug: String,
        _ status: Int?,
        _ instrument: Instrument? = nil,
        instance: String? = nil
    ) -> String {
        catalogue.advice(
            type: ProblemCatalogue.typePrefix + slug,
            status: status,
            instrument: instrument,
            instance: instance
        ).payerMessage
    }

    @Test func `a problem type shared with Swish is resolved by the instrument or the instance`() {
        #expect(message("inputerror", 400, .swish) == "number")
        #expect(message("inputerror", 400, .card) == "order")
        #expect(message("inputerror", 400) == "order")
        #expect(message("inputerror", 400, instance: "/psp/swish/payments/1") == "number")
        #expect(message("swishdeclined", 403, .card) == "swish declined")
    }

    @Test func `a problem type matches whatever its case and separators`() {
        #expect(message("CreditCard/3DSecureUserCanceled", 403) == "cancelled")
        #expect(message("vipps/vippsdeclined", 403) == "vipps declined")
        let advice = catalogue.advice(
            type: "HTTPS://API.payex.com/PSP/errordetail/creditcard/CARD_DECLINED",
            status: nil,
            instrument: nil
        )
        #expect(advice.isKnown && advice.payerMessage == "card declined")
    }

    @Test(
        arguments: [
            "", "d", "canceled", "CanCeled_cancel_ed", "x/canceledcancelled", "cancancelededed",
            "cancelle_d", "ÅRcanceled", "canceled\u{301}", "cance\u{301}led", "\u{212A}_canceled",
        ])
    func `spellings share the key of the lower-case text without separators`(text: String) {
        let plain = text.lowercased().rewriting("_", as: "")
        #expect(ProblemCatalogue.key(of: text) == plain.rewriting("canceled", as: "cancelled"))
    }

    @Test func `only a text after the whole prefix is a slug`() {
        let prefix = ProblemCatalogue.typePrefix
        #expect(ProblemCatalogue.slug(of: prefix.uppercased() + "Card_X") == "Card_X")
        #expect(ProblemCatalogue.slug(of: prefix) == nil)
        #expect(ProblemCatalogue.slug(of: prefix.dropLast() + "x") == nil)
        #expect(ProblemCatalogue.slug(of: "x" + prefix + "y") == nil)
        #expect(ProblemCatalogue.slug(of: prefix + "\u{E5}") == "\u{E5}")
    }

    @Test func `the status selects one of two rows, and the first row applies without a match`() {
        #expect(message("paymentorders/inputerror", 404) == "token")
        #expect(message("paymentorders/inputerror", 400) == "validation")
        #expect(message("paymentorders/inputerror", nil) == "validation")
        #expect(message("paymentorders/inputerror", 422) == "validation")
    }

    @Test func `an unknown card problem is a decline, unless the PSP itself failed`() {
        let type = ProblemCatalogue.typePrefix + "creditcard/somethingelse"
        let declined = catalogue.advice(type: type, status: 403, instrument: .card)
        #expect(declined.payerMessage == "card declined" && !declined.isKnown)
        let failed = catalogue.advice(type: type, status: 503, instrument: .card)
        #expect(failed.actor == .psp && failed.isRetryable && !failed.isKnown)
    }

    @Test(
        arguments: [
            (400, Actor.merchant, false), (404, .merchant, false), (499, .merchant, false),
            (429, .psp, true), (500, .psp, true), (599, .psp, true), (302, .psp, true),
        ])
    func `an unknown problem goes by the class of its status`(
        status: Int,
        actor: Actor,
        isRetryable: Bool
    ) {
        for type in [nil, "about:blank", "https://shop.example/errors/inputerror", "inputerror"] {
            let advice = catalogue.advice(type: type, status: status, instrument: .swish)
            #expect(advice.actor == actor && advice.isRetryable == isRetryable)
            #expect(!advice.isKnown && !advice.payerMessage.isEmpty)
        }
    }
}
