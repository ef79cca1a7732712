import EventLog
import SwedbankPay
import Testing
import WorkflowTesting

/// The thirteen payments about which support engineers are asked, and the names of their files.
enum SupportCase: String, CaseIterable, CustomTestStringConvertible {
    case payerClosedBankPage = "payer-closed-bank-page"
    case swishAppNeverReturned = "swish-app-never-returned"
    case issuerDeclined = "issuer-declined"
    case walletCancelled = "wallet-cancelled"
    case providerStorm = "psp-5xx-storm"
    case doubleTap = "double-tap"
    case consumedOnAnotherDevice = "consumed-on-another-device"
    case abortRefused = "abort-refused"
    case crashInTheMiddle = "crash-in-the-middle"
    case unknownOutcomeResolved = "unknown-outcome-resolved"
    case callbackBeforeReturn = "callback-before-return"
    case expired = "expired"
    case canceledCheckoutIsPaid = "canceled-checkout-is-paid"

    var testDescription: String { rawValue }

    /// Returns the payment, as the rules decide it.
    func payment(by decider: SessionDecider) -> CasePayment {
        let place = Self.allCases.firstIndex(of: self) ?? 0
        var payment = CasePayment(place, decider: decider)
        switch self {
        case .payerClosedBankPage: closedBankPage(&payment)
        case .swishAppNeverReturned: neverReturned(&payment)
        case .issuerDeclined: declined(&payment)
        case .walletCancelled: walletCancelled(&payment)
        case .providerStorm: storm(&payment)
        case .doubleTap: doubleTap(&payment)
        case .consumedOnAnotherDevice: consumed(&payment)
        case .abortRefused: abortRefused(&payment)
        case .crashInTheMiddle: crash(&payment)
        case .unknownOutcomeResolved: unknownOutcome(&payment)
        case .callbackBeforeReturn: callback(&payment)
        case .expired: expire(&payment)
        case .canceledCheckoutIsPaid: canceledCheckoutIsPaid(&payment)
        }
        return payment
    }
}

extension SupportCase {
    /// A saved card with 3-D Secure; the payer looks for the bank's app, gives up and closes the
    /// page.
    private func closedBankPage(_ payment: inout CasePayment) {
        payment.open("order-4711")
        payment.wait(14.2)
        payment.start(
            .card(rank: 1),
            with: .creditCard,
            giving: .running(.creditCard, .authentication(method: "data"))
        )
        payment.wait(0.4)
        payment.report(.done)
        payment.respond(.challenging(), in: 640)
        payment.wait(0.9)
        payment.report(.shown)
        payment.wait(48.3)
        payment.report(.canceled)
        payment.respond(.challenging())
        payment.fails(.sample("creditcard/3dsecureusercancelled"))
    }

    /// Swish on the same telephone: approved there, and the payer closes Swish instead of going
    /// back.
    private func neverReturned(_ payment: inout CasePayment) {
        payment.open("order-4712")
        payment.wait(9.5)
        payment.start(.swish(msisdn: nil), with: .swish, giving: .swishToLaunch)
        payment.wait(1.3)
        payment.report(.launched)
        payment.polls(14, at: .swishToLaunch)
        payment.respond(.paid)
    }

    /// The issuer declines a saved card, without a challenge.
    private func declined(_ payment: inout CasePayment) {
        payment.open("order-4713")
        payment.wait(22)
        payment.start(.card(rank: 2), with: .creditCard, giving: .cardUnderWay)
        payment.polls(1, at: .cardUnderWay)
        payment.fails(.sample("creditcard/acquirerinsufficientfunds"))
    }

    /// The payer closes Google Pay, and then gives up altogether.
    private func walletCancelled(_ payment: inout CasePayment) {
        payment.open("order-4714", offering: .withEverything)
        payment.wait(6.1)
        payment.start(
            .googlePay,
            with: .googlePay,
            giving: .authorizing(.googlePay),
            from: .withEverything
        )
        payment.wait(7.4)
        payment.report(.canceled)
        payment.fails(.sample("usercancelled"), then: .withEverything)
        payment.wait(31)
        payment.command(.abort(by: "checkout-app"), "abort")
        payment.respond(.givenUp)
    }

    /// The PSP fails repeatedly while the payment is started and polled.
    private func storm(_ payment: inout CasePayment) {
        payment.open("order-4715")
        payment.wait(11)
        payment.command(.attempt(.swish(msisdn: .sample("+46739000001"))), "attempt")
        payment.respond(.withSwishAndCard.expanding(.swish))
        payment.outcome(.refused(503, .sample("systemerror")), in: 2_010, retryIn: 900)
        payment.outcome(.refused(503, .sample("systemerror")), in: 1_500, retryIn: 2_100)
        payment.outcome(.refused(502, .sample("systemerror")), in: 1_200, retryIn: 3_800)
        payment.respond(.withSwishAndCard.expanding(.swish))
        payment.outcome(.refused(503, .sample("systemerror")), in: 2_400, retryIn: 2_600)
        payment.respond(.withSwishAndCard.expanding(.swish))
        payment.respond(.swishUnderWay, in: 900)
        payment.polls(6, at: .swishUnderWay)
        payment.respond(.paid)
    }

    /// The payer taps "pay" twice: the app submits the payment again, and the second tap is
    /// refused.
    private func doubleTap(_ payment: inout CasePayment) {
        payment.open("order-4716")
        payment.wait(17)
        payment.command(.attempt(.swish(msisdn: nil)), "attempt")
        payment.wait(0.12)
        payment.command(.attempt(.swish(msisdn: nil)), "attempt")
        payment.respond(.withSwishAndCard.expanding(.swish))
        payment.respond(.swishToLaunch)
        payment.wait(0.3)
        payment.command(.refetch(by: "checkout-app"), "refetch")
        payment.respond(.swishToLaunch)
        payment.wait(0.8)
        payment.report(.launched)
        payment.polls(5, at: .swishToLaunch)
        payment.wait(1)
        payment.command(.returned(.augmented), "return")
        payment.respond(.paid)
    }

    /// The payer began on the telephone and paid the same order on a computer.
    private func consumed(_ payment: inout CasePayment) {
        payment.open("order-4717")
        payment.wait(194)
        payment.command(.attempt(.card(rank: 1)), "attempt")
        payment.outcome(.refused(409, .operationNotAllowed), retryIn: 300)
        payment.respond(.paid)
    }

    /// The payer tries to stop while Swish is open on another device; the PSP responds that it is
    /// too late.
    private func abortRefused(_ payment: inout CasePayment) {
        payment.open("order-4718")
        payment.wait(12)
        payment.start(.swish(msisdn: .sample("+46739000001")), with: .swish, giving: .swishUnderWay)
        payment.polls(4, at: .swishUnderWay)
        payment.wait(1)
        payment.command(.abort(by: "checkout-app"), "abort")
        payment.outcome(.refused(409, .operationNotAllowed))
        payment.polls(3, at: .swishUnderWay)
        payment.respond(.paid)
    }

    /// The engine is killed while the start of the payment is in progress, and returns a minute and
    /// a half later.
    private func crash(_ payment: inout CasePayment) {
        payment.open("order-4719")
        payment.wait(8)
        payment.command(.attempt(.swish(msisdn: .sample("+46739000001"))), "attempt")
        payment.respond(.withSwishAndCard.expanding(.swish))
        payment.leave()
        payment.crash(for: 94.6)
        payment.respond(.swishUnderWay)
        payment.polls(2, at: .swishUnderWay)
        payment.respond(.paid)
    }

    /// The response to the start of a card payment is lost; the session shows that it never
    /// arrived.
    private func unknownOutcome(_ payment: inout CasePayment) {
        payment.open("order-4720")
        payment.wait(19)
        payment.command(.attempt(.card(rank: 1)), "attempt")
        payment.respond(.withSwishAndCard.expanding(.creditCard))
        payment.outcome(.lost, in: 30_000, retryIn: 800)
        payment.respond(.withSwishAndCard.expanding(.creditCard))
        payment.respond(.cardUnderWay, in: 2_300)
        payment.polls(1, at: .cardUnderWay)
        payment.respond(.paid)
    }

    /// The PSP's callback to the merchant arrives before the payer.
    private func callback(_ payment: inout CasePayment) {
        payment.open("order-4721")
        payment.wait(7)
        payment.start(.swish(msisdn: nil), with: .swish, giving: .swishToLaunch)
        payment.wait(1.1)
        payment.report(.launched)
        payment.polls(9, at: .swishToLaunch)
        payment.wait(0.6)
        payment.command(.callback(CallbackReceived(digest: .zero)), "callback")
        payment.respond(.swishToLaunch)
        payment.wait(1.2)
        payment.command(.returned(.original), "return")
        payment.respond(.paid)
    }

    /// A request in Swish that nobody approves or declines, until the session expires.
    private func expire(_ payment: inout CasePayment) {
        payment.open("order-4722")
        payment.wait(25)
        payment.start(.swish(msisdn: .sample("+46739000001")), with: .swish, giving: .swishUnderWay)
        payment.polls(64, at: .swishUnderWay)
        payment.due(.attemptLimit(number: 1), "attemptLimit")
        payment.respond(.swishUnderWay)
        payment.due(.sessionLimit, "sessionLimit")
        payment.respond(.swishUnderWay)
        if payment.state.outcome == nil { payment.due(.sessionLimit, "sessionLimit") }
    }
}

extension CasePayment {
    /// The payer chooses a method, and the attempt begins.
    fileprivate mutating func start(
        _ choice: ChoiceRequest,
        with method: PaymentMethodName,
        giving begun: Snapshot,
        from shown: Snapshot = .withSwishAndCard
    ) {
        command(.attempt(choice), "attempt")
        respond(shown.expanding(method))
        respond(begun, in: 420)
    }

    /// The attempt fails at the PSP, the failure is acknowledged, and the methods are offered
    /// again.
    fileprivate mutating func fails(
        _ problem: SessionProblem,
        then methods: Snapshot = .withSwishAndCard
    ) {
        respond(methods.with(problem))
        outcome(.empty(status: 204))
        respond(methods)
    }
}
