import Adapters
import EventLog
import Foundation
import TestSupport
import Testing
import WorkflowTesting

@testable import Inspection
@testable import SwedbankPay
@testable import workflowctl

/// Sessions that nothing can settle, and how an operator ends them.
@Suite struct ClosingTests {
    private static let decider = SessionDecider(catalogue: .bundled)

    /// Returns a payment in Swish that nobody approved in time: it is unknown whether it is paid.
    private static func overdue() -> CasePayment {
        var payment = CasePayment(1, decider: decider)
        payment.open("order-1")
        payment.wait(5)
        payment.command(.attempt(.swish(msisdn: .sample("+46739000001"))), "attempt")
        payment.respond(.withSwishAndCard.expanding(.swish))
        payment.respond(.swishUnderWay)
        payment.polls(1, at: .swishUnderWay)
        payment.due(.attemptLimit(number: 1), "attemptLimit")
        payment.respond(.swishUnderWay)
        return payment
    }

    private func acted(_ reason: String?) -> OperatorActed {
        OperatorActed(by: "anna", action: SessionDecider.closing, reason: reason)
    }

    @Test(arguments: [
        ("http.timeout", Reach.maybeSent, "there was no response within 30 s (http.timeout)"),
        (
            "http.reset", Reach.maybeSent,
            "the connection was lost before a response arrived (http.reset)"
        ),
        ("http.refused", Reach.notSent, "the PSP could not be reached (http.refused)"),
        (
            "http.refused-url", Reach.notSent,
            "this installation does not allow requests to that address (http.refused-url)"
        ),
    ])
    func `the reason for a failed request is given in words`(
        code: String,
        reach: Reach,
        words: String
    ) {
        let cause = Story.Cause(code: code, status: nil, reach: reach, duration: .seconds(30))
        #expect(cause.words == words)
    }

    @Test(arguments: [
        Rel.consumers, .paymentOrders, .setInstrument, .updateInstrument, .backendInstrument,
        .abortOrder, .updateAbort, .capture, .createCapture, .cancelOrder, .createCancel, .reversal,
        .createReversal, .order, .root, .session, .getPayment, .preparePayment, .expandMethod,
        .startPaymentAttempt, .createAuthentication, .completeAuthentication, .attemptPayload,
        .failPaymentAttempt, .customizePayment, .acknowledgeFailedAttempt, .abortPayment,
    ])
    func `the purpose of a request is given in words, without the protocol's names`(rel: Rel) {
        #expect(rel.purpose.hasPrefix("to "), "\(rel.purpose)")
        // The names of operations are joined by hyphens, or one long word.
        let words = rel.purpose.split { " ()".contains($0) }
        let names = words.filter { $0.contains("-") || $0.contains("paymentorder") }
        #expect(names.allSatisfy { ["check-in", "3-D"].contains($0) }, "\(rel.purpose)")
    }

    @Test func `a closed session records who closed it and why, and its money becomes unknown`()
        throws
    {
        var payment = Self.overdue()
        // The PSP shows it in Swish: as long as the session is open, the payment is under way.
        #expect(payment.state.money.standing == .underWay)
        payment.command(.close(acted("the PSP does not answer")), "close")
        #expect(payment.state.outcome == .failed)
        let events = payment.events
        #expect(
            events.suffix(2).map(\.event) == [
                .operatorActed(acted("the PSP does not answer")),
                .failed(Failed(reason: .endReached, money: .unknown)),
            ]
        )
        #expect(payment.state.isClosedByHand)
        #expect(payment.state.money.doubts.map(\.cause) == [.attempt])
        let view = SessionView(payment.state, by: Self.decider, disclosing: .masked)
        #expect(view.json["closed"]?["money"] == .string("unknown"))
        let words = ViewText(view, style: .plain).text.words
        #expect(words.contains("ended, closed by an operator"))
        #expect(words.contains("unknown 649.00 SEK; only the PSP knows"))
        #expect(payment.state.money.standing == .unknown)
        let story = Story(of: payment.state.session, events: events, by: Self.decider)
        #expect(story.standing.turn == .merchant)
        #expect(StoryEnd(story).payerMessage?.contains("do not pay again") == true)
        var check = ReplayCheck(of: payment.state.session, by: Self.decider)
        for (index, event) in events.enumerated() {
            let next = index + 1 < events.count ? events[index + 1].event : nil
            try check.verify(event, followedBy: next)
        }
        try check.finish()
    }

    @Test
    func `closing is rejected without a reason, a second time, and while the session goes on`() {
        let payment = Self.overdue()
        payment.spec.when(.close(acted(nil))).then(rejected: .reasonMissing)
        payment.spec.when(.close(acted("done"))).when(.close(acted("done")))
            .then(rejected: .sessionEnded(.failed))
        var ready = CasePayment(2, decider: Self.decider)
        ready.open("order-2")
        ready.spec.when(.close(acted("done"))).then(rejected: .stillGoing)
        ready.command(.attempt(.swish(msisdn: nil)), "attempt")
        ready.leave()
        ready.spec.when(.close(acted("done"))).then(rejected: .stillGoing)
    }

    @Test(.guarantee(.moneyToldTrue))
    func `a session that was closed before it could be read has unknown money`() {
        var payment = CasePayment(3, decider: Self.decider)
        payment.command(.open(.sample()), "open")
        for _ in 0..<8 where payment.state.problem == nil { payment.outcome(.notSent) }
        #expect(payment.state.problem?.problem.kind == .requestFailed)
        payment.command(.close(acted("wrong order")), "close")
        // Another device may have paid it: no response says that it did not.
        #expect(payment.state.money.standing == .unknown)
        #expect(payment.state.money.doubts.map(\.cause) == [.end])
        let story = Story(of: payment.state.session, events: payment.events, by: Self.decider)
        #expect(StoryEnd(story).summary == "Ended, but it is not known whether it was paid.")
    }

    @Test(arguments: [MoneyResolution.Verdict.paid, .refunded])
    func `for a payment resolved as paid or refunded, the next step is close and not retry`(
        verdict: MoneyResolution.Verdict
    ) throws {
        var payment = CasePayment(5, decider: Self.decider)
        payment.open("order-5")
        payment.command(.attempt(.swish(msisdn: .sample("+46739000001"))), "attempt")
        payment.respond(.withSwishAndCard.expanding(.swish))
        payment.outcome(
            .failed(reach: .maybeSent, code: "http.timeout", isTransient: true),
            in: 30_000
        )
        for _ in 0..<40 where payment.state.problem == nil { payment.outcome(.notSent) }
        func end() -> StoryEnd {
            StoryEnd(Story(of: payment.state.session, events: payment.events, by: Self.decider))
        }
        let session = payment.state.session
        #expect(payment.state.money.standing == .unknown)
        #expect(end().steps("workflowctl").first?.command == "workflowctl retry \(session)")
        var found = OperatorActed(by: "anna", action: OperatorActed.resolving, reason: "admin")
        found.resolution = MoneyResolution(verdict: verdict)
        payment.command(.recordOperator(found), "resolve")
        #expect(payment.state.outcome == nil && payment.state.money.standing == .confirmed)
        #expect(
            end().steps("workflowctl").map(\.command) == [
                "workflowctl close \(session) --reason TEXT", "workflowctl verify \(session)",
            ]
        )
        #expect(end().turn.hasPrefix("An operator has to close the session."))
        let isRefunded = verdict == .refunded
        #expect(end().payerMessage?.contains("refunded") == isRefunded)
        #expect(
            end().summary
                == (isRefunded
                    ? "Paid, then refunded in full, as an operator found at the PSP."
                    : "Paid, as an operator found at the PSP.")
        )
        payment.command(.close(acted("found in the admin")), "close")
        #expect(payment.state.outcome == .failed && payment.state.money.standing == .confirmed)
        #expect(end().turn.hasPrefix("Nothing has to be done:"))
    }

    @Test
    func `for an order of another amount, the next steps are order show and verify, not close`() {
        var payment = CasePayment(6, decider: Self.decider)
        payment.openCheckout("order-6")
        payment.respond(order: .sample, status: 201)
        payment.report(.shown)
        payment.report(.completed)
        payment.respond(order: .paid(amount: CasePayment.amount - 1))
        let state = payment.state
        #expect(state.outcome == .completed && state.problem?.problem.kind == .orderMismatch)
        let story = Story(of: state.session, events: payment.events, by: Self.decider)
        let steps = StoryEnd(story).steps("workflowctl")
        #expect(
            steps.map(\.command) == [
                "workflowctl order show \(state.session)", "workflowctl verify \(state.session)",
            ]
        )
        #expect(steps.last?.relation == .addition)
        // The command of an ended session is the other installation's, where it was imported.
        let elsewhere = StoryReport(story, program: "workflowctl", why: false, isImported: true)
            .text(for: TextForm(isTerminal: false, columns: nil, style: .plain)).words
        #expect(elsewhere.contains("installation that opened it"))
        #expect(elsewhere.contains("workflowctl verify") && !elsewhere.contains("order show"))
        let view = SessionView(state, by: Self.decider, disclosing: .masked)
        let shown = ViewText(view, style: .plain).text.words
        #expect(shown.contains("'explain' says what to do") && !shown.contains("'retry'"))
    }

    @Test
    func `after a configuration failure the story says that the merchant has to fix the cause`() {
        var payment = CasePayment(7, decider: Self.decider)
        var snapshot = Snapshot.withSwish
        snapshot.urls.complete = nil
        let opened = Opened(
            sessionURL: .sample("session"),
            host: "api.payex.com",
            userAgent: "nordlampan-checkout/4.2"
        )
        payment.command(.open(opened), "open")
        payment.outcome(.snapshot(snapshot, status: 200))
        let state = payment.state
        #expect(state.outcome == .failed && state.problem?.problem.kind == .configurationFailed)
        let story = Story(of: state.session, events: payment.events, by: Self.decider)
        #expect(StoryEnd(story).turn.hasPrefix("The merchant has to fix the cause"))
    }

    @Test func `a ready session that was closed after a failed read has unknown money`() {
        var payment = CasePayment(4, decider: Self.decider)
        payment.open("order-4")
        payment.command(.refetch(by: SessionDecider.closing), "refetch")
        for _ in 0..<8 where payment.state.problem == nil { payment.outcome(.notSent) }
        #expect(payment.state.problem?.problem.kind == .requestFailed)
        payment.command(.close(acted("wrong order")), "close")
        #expect(payment.state.money.standing == .unknown)
        #expect(payment.state.money.doubts.map(\.cause) == [.end])
    }

    @Test func `the failed event of a close records the same money as the fold of the log`() {
        // Wherever a session may be closed, its end and the fold of the events agree.
        for story in SupportCase.allCases {
            let payment = story.payment(by: Self.decider)
            for count in 1..<payment.events.count {
                let events = payment.events.prefix(count)
                let state = SessionState.folding(events, of: payment.state.session)
                guard
                    let decided = try? Self.decider.decide(
                        .command(.close(acted("why not"))),
                        in: state,
                        at: state.lastAt
                    ), case .failed(let failed)? = decided.last
                else { continue }
                var ended = state
                for event in decided { ended.apply(event, at: state.lastAt) }
                #expect(failed.money == ended.money.standing)
            }
        }
    }
}
