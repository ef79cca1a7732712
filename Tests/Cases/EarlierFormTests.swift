import Adapters
import EventLog
import Inspection
import SwedbankPay
import Testing
import WorkflowTesting

/// Logs of earlier builds, which described problems in other words.
@Suite struct EarlierFormTests {
    static let decider = SessionDecider(catalogue: .bundled)

    private func problem(_ title: String, _ detail: String? = nil, actor: Actor = .psp) -> Problem {
        Problem(
            origin: .engine,
            kind: .notConfirmed,
            title: .plain(title),
            detail: detail.map { .plain($0) },
            isRetryable: true,
            actor: actor,
            rel: .paymentOrders
        )
    }

    /// A payment whose abort the PSP does not offer, which is a problem of the engine.
    private func refused(saying title: String? = nil, actor: Actor? = nil) -> [RecordedEvent] {
        var payment = CasePayment(1, decider: Self.decider)
        payment.open("order-1", offering: Snapshot.withSwishAndCard.without(.abortPayment))
        payment.command(.abort(by: "payer"), "abort")
        return payment.events.map { recorded in
            guard case .problem(var problem) = recorded.event else { return recorded }
            if let title { problem.title = .plain(title) }
            if let actor { problem.actor = actor }
            return RecordedEvent(
                stream: recorded.stream,
                sequence: recorded.sequence,
                at: recorded.at,
                event: .problem(problem),
                metadata: recorded.metadata
            )
        }
    }

    private func check(_ events: [RecordedEvent]) throws {
        var check = ReplayCheck(of: events[0].stream, by: Self.decider)
        for (index, event) in events.enumerated() {
            let next = index + 1 < events.count ? events[index + 1].event : nil
            try check.verify(event, followedBy: next)
        }
        try check.finish()
    }

    @Test func `a log with a problem in the words of an earlier build agrees with the rules`()
        throws
    {
        let title = "The payment can't be given up now"
        let events = refused(saying: title)
        #expect(events != refused())
        try check(refused())
        try check(events)
        #expect(throws: ReplayCheck.Divergence.self) {
            try check(refused(saying: "The payment was aborted"))
        }
        #expect(throws: ReplayCheck.Divergence.self) {
            try check(refused(saying: title, actor: .merchant))
        }
    }

    @Test(arguments: ["http.refused-url", "order.access-unavailable"])
    func `a request that was not sent from here once had the PSP as the party to act`(
        code: String
    ) {
        func failed(_ detail: String, _ actor: Actor) -> SessionEvent {
            .problem(
                Problem(
                    origin: .engine,
                    kind: .requestFailed,
                    title: .plain("The request paymentorders failed"),
                    detail: .plain(detail),
                    isRetryable: true,
                    actor: actor,
                    rel: .paymentOrders
                )
            )
        }
        #expect(failed(code, .psp).isEarlierForm(of: failed(code, .merchant)))
        #expect(!failed(code, .merchant).isEarlierForm(of: failed(code, .psp)))
        #expect(!failed("http.reset", .psp).isEarlierForm(of: failed("http.reset", .merchant)))
    }

    /// What builds before these texts recorded, each with what is recorded now: kept here a second
    /// time, so that a phrase that was recorded once is never taken out of the rules' list.
    @Test(arguments: [
        (
            "The order can't be given up now",
            "The order can't be aborted now"
        ),
        (
            "The payment can't be given up now",
            "The payment can't be aborted now"
        ),
        (
            "The PSP refuses to give up the payment now",
            "The PSP refused to abort the payment"
        ),
        (
            "The PSP did not give up the payment",
            "The PSP accepted the abort but did not end the payment"
        ),
        (
            "The charge may have been made; it can't be given up",
            "The charge may have been made, so it can't be aborted"
        ),
        (
            "An earlier request may have charged; its answer never came",
            "An earlier charge got no response and may have succeeded"
        ),
        (
            "Look for the order of this reference at the PSP; do not charge again.",
            "Find the order with this reference at the PSP; do not charge again."
        ),
        (
            "The charge was taken, but the order says neither paid nor failed",
            "The PSP accepted the charge, but the order shows neither a payment nor a failure"
        ),
        (
            "Charge nothing again before the order says what came of it.",
            "Do not charge again until the order shows whether the charge succeeded."
        ),
        (
            "The payment was finished, but the payment order is not paid",
            "The payer finished, but the payment order is not paid"
        ),
        (
            "Nothing is to be delivered before the order says that it is paid.",
            "Do not deliver until the payment order shows that it is paid."
        ),
        (
            "The order is paid with another amount or currency than ordered",
            "The order was paid with another amount or currency than ordered"
        ),
        (
            "Deliver, or give the money back.",
            "Deliver the order, or refund the payment."
        ),
        (
            "The order offers no change of its method",
            "The order's payment method can't be changed"
        ),
        (
            "A link of the merchant backend leads to a domain that is not called",
            "A link from the merchant backend leads to a domain that is not allowed"
        ),
        (
            "The answer offers no consumers",
            "The merchant backend offers no link to consumers"
        ),
        (
            "The answer to capture is about another payment",
            "The response to capture is about another payment"
        ),
        (
            "The PSP's answers can't be read",
            "The PSP's responses can't be read"
        ),
        (
            "The PSP wants ever more client actions",
            "The PSP keeps requesting client actions"
        ),
        (
            "The PSP still waits to hear that the failed attempt was seen",
            "The PSP still expects an acknowledgement of the failed attempt"
        ),
        (
            "get-payment is asked for again and again",
            "get-payment is requested again and again"
        ),
        (
            "The session offers nothing that can continue it",
            "The session offers no operation that continues the payment"
        ),
        (
            "What was chosen beforehand is not offered",
            "The payment method chosen in advance is not offered"
        ),
        (
            "CreditCard doesn't let an attempt start",
            "CreditCard offers no operation that starts an attempt"
        ),
        (
            "The app to pay with could not be opened",
            "The payment app could not be opened"
        ),
        (
            "The payment page could not be shown, or gave up",
            "The payment page failed or could not be shown"
        ),
        (
            "The check-in could not be shown, or gave up",
            "The check-in failed or could not be shown"
        ),
    ])
    func `only the words may be those of an earlier build`(earlier: String, present: String) {
        let (recorded, decided) = (problem(earlier), problem(present))
        func isEarlier(_ recorded: Problem, _ decided: Problem) -> Bool {
            SessionEvent.problem(recorded).isEarlierForm(of: .problem(decided))
        }
        #expect(isEarlier(recorded, decided))
        #expect(!isEarlier(decided, recorded))
        #expect(!isEarlier(problem(earlier, actor: .payer), decided))
        #expect(isEarlier(problem(present, earlier), problem(present, present)))
        #expect(!isEarlier(problem(earlier, "because"), decided))
    }
}
