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
        #expect(throws: ReplayCheck.Divergence.self) { try check(refused(saying: "The payment was aborted")) }
        #expect(throws: ReplayCheck.Divergence.self) { try check(refused(saying: title, actor: .merchant)) }
    }

    @Test(arguments: [
        (
            "The charge was taken, but the order says neither paid nor failed",
            "The PSP accepted the charge, but the order shows neither a payment nor a failure"
        ),
        (
            "The answer to capture is about another payment",
            "The response to capture is about another payment"
        ),
        (
            "get-payment is asked for again and again",
            "get-payment is requested again and again"
        ),
        (
            "CreditCard doesn't let an attempt start",
            "CreditCard offers no operation that starts an attempt"
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
