import EventLog
import Inspection
import TestSupport
import Testing
import WorkflowTesting

@testable import SwedbankPay

/// Checkouts whose money could be misjudged.
extension CheckoutTests {
    @Test(arguments: [401, 403, 404])
    func `a client's report alone does not complete a checkout whose order cannot be read`(
        status: Int
    ) {
        let endpoints = BackendEndpoints(consumers: nil, orders: .sample("orders"))
        let shown = checkout(.sample(.merchantBackend))
            .when(outcome: .endpoints(endpoints, status: 200)).when(order: .sample)
        let spec = shown.when(client: .completed).hasPending(.order).when(outcome: .refused(status))
        spec.then(.failed(.order), .refused(.order, isRetryable: true, actor: .merchant))
            .isSettled().ended(nil)
        #expect(spec.state.money.standing == .unknown)
        #expect(spec.decider.guidance(for: spec.state).newAttempt == .never)
        // It is polled late and seldom; a client's request reads it at once.
        spec.hasPending(.order, in: .seconds(1900)).when(order: .paid()).ended(.completed)
        let unpaid = spec.when(.retry(by: "host")).hasPending(.order).when(order: .sample)
        #expect(unpaid.state.outcome == nil)
        // The client is informed that the payer left by the cancel address, and that the money is
        // unknown.
        let canceled = shown.when(client: .canceled).when(outcome: .refused(status))
            .when(outcome: .refused(409))
        #expect(canceled.state.outcome == .canceled)
        #expect(canceled.state.money.standing == .unknown)
    }

    @Test
    func `with readsOrders off, the client's report completes the checkout, money unknown`() {
        let endpoints = BackendEndpoints(consumers: nil, orders: .sample("orders"))
        var opened = CheckoutOpened.sample(.merchantBackend)
        opened.options.readsOrders = false
        let spec = checkout(opened).when(outcome: .endpoints(endpoints, status: 200))
            .when(order: .sample).when(client: .completed)
        #expect(spec.newest.last == .completed(Completed(evidence: .completeURLReached)))
        #expect(spec.state.confirmation == nil)
        #expect(spec.state.money.standing == .unknown)
    }

    @Test(arguments: [
        ("order.access-unavailable", Actor.merchant), ("http.refused", .psp),
        ("http.tls-authorities", .merchant), ("http.tls-untrusted", .merchant),
        ("http.tls-pin", .merchant), ("http.tls-expired", .psp),
    ])
    func `who has to act on a request that was not sent depends on who prevented it`(
        code: String,
        actor: Actor
    ) {
        let failed = checkout(.sample())
            .when(outcome: .failed(reach: .notSent, code: code, isTransient: false))
        failed.then(types: "operationFailed", "problem").hasNoPendingRequest()
        #expect(failed.state.problem?.problem.actor == actor)
    }

    @Test(.guarantee(.moneyToldTrue))
    func `a charge whose response was lost is never sent under another reference`() {
        for purpose in [PaymentOrderPurpose.recur, .unscheduledPurchase] {
            var opened = CheckoutOpened.sample()
            opened.terms.purpose = purpose.rawValue
            opened.presents = false
            let lost = checkout(opened).when(outcome: .lost)
            #expect(lost.state.money.standing == .unknown)
            let again = lost.hasPending(.paymentOrders)
            let inUse = again.when(outcome: .refused(400))
            inUse.then(
                .failed(.paymentOrders, try: 2),
                .problem(
                    .requestFailed,
                    code: "order.charged-before",
                    status: 400,
                    type: "https://api.payex.com/psp/errordetail/something",
                    rel: .paymentOrders,
                    isRetryable: false,
                    actor: .merchant
                )
            ).hasNoPendingRequest().isSettled()
            #expect(inUse.state.outcome == nil)
            #expect(inUse.state.money.standing == .unknown)
            #expect(inUse.state.problem?.problem.actor == .merchant)
            let references = inUse.requests.compactMap { request -> String? in
                guard case .order(let submission) = request.sent.body else { return nil }
                return submission.payeeReference
            }
            #expect(Set(references) == ["REF1"])
            #expect(again.when(order: .paid()).state.money.standing == .confirmed)
            // A response without a result is followed by a read of the order; no page is shown.
            let open = checkout(opened).when(order: .sample)
            open.hasPending(.order, in: .seconds(2)).when(order: .paid()).ended(.completed)
        }
    }

    @Test(.threat("T-38"), .guarantee(.moneyToldTrue))
    func `a response about another order counts as a failed request`() {
        var foreign = OrderSnapshot.paid()
        foreign.id = "/psp/paymentorders/another"
        var reference = OrderSnapshot.paid()
        reference.paid?.payeeReference = "SOMEBODYELSES"
        for response in [foreign, reference] {
            let spec = shown.when(client: .completed).when(order: response)
            spec.then(types: "operationFailed").hasPending(.order)
            #expect(spec.state.outcome == nil)
            #expect(spec.state.checkout?.order?.id == OrderSnapshot.sample.id)
            spec.when(order: .paid()).ended(.completed)
        }
    }

    @Test func `a payment that others report of an order never seen leaves its money unknown`() {
        let native = SessionID(at: ManualClock.noon, random: (8, 8))
        let paid = HandedBack(session: native, outcome: .completed)
        let reports: [SessionCommand] = [
            .checkout(.handBack(paid)), .callback(CallbackReceived(digest: .zero)),
        ]
        let created = checkout().when(outcome: .lost)
        for report in reports {
            let told = created.when(report).when(.abort(by: "host"))
            told.then(.exactly(.abortRequested(AbortRequested(by: "host"))), .canceled(by: .client))
                .ended(.canceled)
            #expect(told.state.checkout?.order == nil)
            #expect(told.state.money.standing == .unknown, "\(report)")
            #expect(told.state.money.doubts.map(\.cause) == [.end], "\(report)")
            let misled = checkout().when(report).when(
                outcome: .failed(reach: .notSent, code: "http.refused-url", isTransient: false)
            )
            // A callback about an order that cannot exist tells of no payment.
            let isTold = if case .checkout = report { true } else { false }
            let standing = misled.ended(.failed).state.money.standing
            #expect(standing == (isTold ? .unknown : MoneyState.Standing.none), "\(report)")
        }
        // Without such a report nothing can have been paid, as nobody saw the order; a callback
        // after the end reports otherwise.
        let given = created.when(.abort(by: "host"))
        #expect(given.state.money.standing == MoneyState.Standing.none)
        #expect(given.when(reports[1]).state.money.standing == .unknown)
    }

    @Test func `a log that lacks its order and tells of a payment leaves the money unknown`() {
        let native = SessionID(at: ManualClock.noon, random: (8, 8))
        let capture = TransactionRequest(
            kind: .capture,
            payeeReference: "CAP1",
            amount: 10_000,
            vatAmount: 2_000,
            description: "Shipment"
        )
        let changed = Problem(
            origin: .engine,
            kind: .orderMismatch,
            isRetryable: false,
            actor: .merchant
        )
        let signs: [SessionEvent] = [
            .checkout(.handedOver(HandedOver(session: native))),
            .checkout(.handedBack(HandedBack(session: native, outcome: .completed))),
            .checkout(.transactionRequested(capture)), .problem(changed),
            .completed(Completed(evidence: .orderStatus)),
        ]
        // A response whose order is missing shows nothing, however new it is.
        let unseen = OrderFetched(cause: .order, digest: .zero, order: nil)
        for sign in signs {
            let end = SessionEvent.canceled(Canceled(by: .psp))
            let log = checkout().given(sign, .checkout(.orderFetched(unseen)), end)
            #expect(log.state.isOver)
            #expect(log.state.money.standing == .unknown, "\(sign)")
        }
    }
}

/// Somebody else pays while this payer leaves.
extension CheckoutTests {
    /// The order while an attempt is in progress.
    private var beingPaid: OrderSnapshot {
        var order = OrderSnapshot.sample
        order.operations = [.sample(.viewCheckout), .sample(.abortAttempt)]
        return order
    }

    @Test func `an order that is being paid elsewhere when the payer leaves is followed`() {
        let left = checkout().when(order: beingPaid, status: 201).when(client: .canceled)
        #expect(left.state.outcome == nil)
        #expect(left.state.money.standing == .underWay)
        // Its payment is found, and so is the end of the attempt: then the order is aborted.
        left.hasPending(.order).when(order: .paid()).ended(.completed)
        var free = OrderSnapshot.sample
        free.operations = [.sample(.viewCheckout), .sample(.abortOrder)]
        let aborted = left.hasPending(.order).when(order: free)
            .hasPending(.abortOrder).when(order: free.with(.aborted)).ended(.canceled)
        #expect(aborted.state.money.standing == MoneyState.Standing.none)
        // After a while the checkout ends, its money unknown, and the order is still read.
        var late = left
        while late.state.outcome == nil, late.count(.order) < 10 {
            late = late.hasPending(.order).when(order: beingPaid)
        }
        late.ended(.canceled)
        #expect(late.state.money.standing == .unknown)
        let paid = late.hasPending(.order, in: late.decider.limits.orderBackstop)
            .when(order: .paid())
        #expect(paid.state.money.standing == .confirmed)
    }
}

/// A person finds out about one transaction, not about the whole payment.
extension CheckoutTests {
    @Test(arguments: [MoneyResolution.Verdict.paid, .notPaid, .refunded])
    func `a finding about a transaction in doubt leaves the order's amounts`(
        verdict: MoneyResolution.Verdict
    ) throws {
        let capture = TransactionRequest(
            kind: .capture,
            payeeReference: "C1",
            amount: 4_000,
            vatAmount: 800,
            description: "A part"
        )
        let doubted = checkout().when(order: .paid(), status: 201)
            .when(.checkout(.transact(capture))).when(order: .paid()).when(outcome: .lost)
        #expect(doubted.state.money.standing == .unknown)
        func finding(_ verdict: MoneyResolution.Verdict) -> SessionCommand {
            .recordOperator(
                OperatorActed(
                    by: "anna",
                    action: "resolve",
                    reason: "the portal lists it",
                    resolution: MoneyResolution(verdict: verdict)
                )
            )
        }
        // A correction is about the same transaction.
        let once = doubted.when(finding(verdict))
        for resolved in [once, once.when(finding(.notPaid))] {
            #expect(resolved.state.money.standing == .confirmed)
            #expect(resolved.state.money.taken?.net == 10_000)
            #expect(resolved.state.money.taken?.evidence == .order)
        }
    }
}

/// What the PSP or the merchant backend finally refuses.
extension CheckoutTests {
    private func atBackend(_ consumer: ConsumerTerms? = nil) -> DeciderSpec {
        checkout(.sample(.merchantBackend, consumer: consumer))
    }

    private var found: ProviderResponse.Outcome {
        let endpoints = BackendEndpoints(consumers: .sample("c"), orders: .sample("orders"))
        return .endpoints(endpoints, status: 200)
    }

    private func stage(_ spec: DeciderSpec) -> CheckoutView.Stage? {
        SessionView(spec.state, by: spec.decider, disclosing: .masked).checkout?.stage
    }

    @Test(arguments: [400, 401, 403, 404, 422])
    func `a final refusal of discovery, check-in or creation is a failure, as in the SDKs`(
        status: Int
    ) {
        let terms = ConsumerTerms(language: "sv-SE", shippingCountries: ["SE"])
        for spec in [
            atBackend(), atBackend(terms).when(outcome: found), atBackend().when(outcome: found),
            checkout(),
        ] {
            #expect(stage(spec) == .inProgress)
            let refused = spec.when(outcome: .refused(status)).ended(.failed)
            refused.then(types: "operationFailed", "problem", "failed").hasNoPendingRequest()
            #expect(stage(refused) == .failure)
            #expect(refused.state.money.standing == MoneyState.Standing.none)
        }
    }

    @Test func `a creation that fails for now is an error that can be retried`() {
        var spec = checkout()
        while spec.state.problem == nil { spec = spec.when(outcome: .refused(503)) }
        #expect(stage(spec) == .retryableError)
        #expect(stage(spec.when(.retry(by: "host"))) == .inProgress)
    }

    @Test(arguments: [401, 403, 404, 405, 501])
    func `a canceled checkout whose order nobody can read ends, and says so`(status: Int) {
        let left = atBackend().when(outcome: found).when(order: .sample).when(client: .canceled)
            .hasPending(.order).when(outcome: .refused(status)).hasPending(.abortOrder)
        // The PSP accepts an abort only while the order is not paid.
        let aborted = left.when(outcome: .empty(status: 204)).ended(.canceled)
        #expect(aborted.state.money.standing == MoneyState.Standing.none)
        let told = aborted.decider.guidance(for: aborted.state).message
        #expect(told?.contains("was canceled, and nothing was charged") == true)
        let unclear = left.when(outcome: .refused(409)).ended(.canceled)
        #expect(unclear.state.money.standing == .unknown)
        let guidance = unclear.decider.guidance(for: unclear.state)
        #expect(guidance.newAttempt == .never)
        #expect(guidance.message?.contains("ask the shop") == true)
    }
}
