import TestSupport
import Testing
import WorkflowTesting

@testable import EventLog
@testable import SwedbankPay

/// A checkout from its first event to its confirmation.
@Suite struct CheckoutTests {
    let lost = ProviderResponse.Outcome.failed(
        reach: .maybeSent,
        code: "http.timeout",
        isTransient: true
    )
    let refused = ProviderResponse.Outcome.refused(
        status: 400,
        document: ProblemDocument(type: "https://api.payex.com/psp/errordetail/inputerror"),
        retryAfter: nil
    )

    let unknown = ProviderResponse.Outcome.refused(
        status: 404,
        document: ProblemDocument(type: "about:blank"),
        retryAfter: nil
    )

    func checkout(_ opened: CheckoutOpened = .sample()) -> DeciderSpec {
        payment().when(.checkout(.open(opened)))
    }

    /// A checkout whose page is shown.
    var shown: DeciderSpec { checkout().when(order: .sample, status: 201) }

    @Test(.feature("I-10"))
    func `an order is created, and the client is asked to show its page`() {
        let spec = checkout().hasPending(
            .paymentOrders,
            sending: .order(OrderSubmission(document: .sample("order"), payeeReference: "REF1")),
            to: .sample("root")
        )
        let created = spec.when(order: .sample, status: 201)
        created.then(
            .succeeded(.paymentOrders),
            .orderFetched(by: .paymentOrders),
            .menuRequested(.menu, script: .sample("view-checkout"))
        ).isSettled()
        #expect(
            created.state.actions.last?.kind
                == .showMenu(script: .sample("view-checkout"), mode: .menu)
        )
        #expect(created.decider.phase(of: created.state) == .awaitingClient)
    }

    @Test(.feature("D-03"))
    func `a merchant backend's endpoints are read before the order is created`() {
        let endpoints = BackendEndpoints(consumers: nil, orders: .sample("orders"))
        checkout(.sample(.merchantBackend)).hasPending(.root, to: .sample("root"))
            .when(outcome: .endpoints(endpoints, status: 200))
            .hasPending(.paymentOrders, to: .sample("orders"))
    }

    @Test(.feature("D-05"))
    func `a payer checks in before the order is created with the consumer profile`() {
        let terms = ConsumerTerms(language: "sv-SE", shippingCountries: ["SE"])
        let view = Operation.sample(.viewConsumer)
        let asked = checkout(.sample(consumer: terms)).hasPending(.consumers)
            .when(outcome: .consumer(view: view, status: 200))
        asked.then(types: "operationSucceeded", "checkInOffered", "checkInRequested").isSettled()
        let known = asked.when(client: .checkedIn(consumerProfileRef: .sample("profile")))
        known.then(
            .onAction {
                let (action, profile) = ($0, Sealed.sample("profile"))
                return .checkout(
                    .payerCheckedIn(PayerCheckedIn(action: action, consumerProfileRef: profile))
                )
            }
        ).hasPending(
            .paymentOrders,
            sending: .order(
                OrderSubmission(
                    document: .sample("order"),
                    consumerProfileRef: .sample("profile"),
                    payeeReference: "REF1"
                )
            )
        )
        // A payer who cancels the check-in pays as a guest.
        asked.when(client: .canceled).then(
            .reported { .checkout(.checkInClosed($0)) }
        ).hasPending(.paymentOrders)
        // A failed check-in is a failure, as in the mobile SDKs: there is no order, and no retry.
        let failed = asked.when(client: .failed(error: nil))
        failed.then(
            .reported({ .checkout(.checkInFailed($0)) }, error: nil),
            .problem(
                .checkInFailed,
                origin: .client,
                isRetryable: false,
                actor: .merchant
            ),
            .sessionFailed(.pageFailed)
        ).ended(.failed)
        #expect(failed.state.money.standing == MoneyState.Standing.none)
    }

    @Test(.feature("I-12"), .threat("T-44"), .guarantee(.paidMeansPaid))
    func `a page that reaches the complete URL proves no payment: the order is read`() {
        let left = shown.when(client: .completed)
        left.then(.menuClosed(.completed)).hasPending(
            .order,
            sending: .orderQuery(
                id: "/psp/paymentorders/1",
                expanding: ["paid", "financialTransactions"]
            )
        )
        #expect(left.state.outcome == nil)
        left.when(order: .paid()).then(
            .orderFetched(by: .order),
            .completed(.orderStatus),
            .orderConfirmed
        )
        .isSettled().hasNoPendingRequest()
    }

    @Test func `a failed read of a paid order leaves its money confirmed`() {
        var spec = shown.when(client: .completed).when(order: .paid())
        #expect(spec.state.money.standing == .confirmed)
        spec = spec.when(.refetch(by: "support"))
        for _ in 0..<10 where spec.decider.pendingEffects(of: spec.state).requests.first != nil {
            spec = spec.when(
                outcome: .failed(reach: .notSent, code: "http.connect", isTransient: true)
            )
        }
        #expect(spec.state.problem?.problem.kind == .requestFailed)
        #expect(spec.state.money.standing == .confirmed)
        #expect(spec.state.money.doubts.isEmpty)
    }

    @Test
    func
        `an order not yet paid is read after 2, 5, 15 and 60 seconds, then is a problem`()
    {
        var spec = shown.when(client: .completed).when(order: .sample)
        for pause in [2, 5, 15, 60] {
            spec = spec.hasPending(.order, in: .seconds(pause)).when(order: .sample)
        }
        // A late payment is still detected.
        spec.then(
            .orderFetched(by: .order, changed: false),
            .problem(
                .notConfirmed,
                rel: .order,
                isRetryable: true,
                actor: .psp
            )
        ).hasPending(.order, in: .seconds(1_900))
            .isSettled()
        #expect(spec.state.problem?.problem.kind == .notConfirmed)
        #expect(spec.state.outcome == nil)
        // The PSP's callback makes the engine read the order, and so does a client's request.
        spec.when(.callback(CallbackReceived(digest: .zero))).hasPending(.order)
            .when(order: .paid()).then(
                .orderFetched(by: .order),
                .completed(.orderStatus),
                .orderConfirmed
            )
        spec.when(.retry(by: "host")).hasPending(.order)
    }

    @Test(.feature("I-13"), .guarantee(.paidMeansPaid))
    func `an order paid with another amount is completed as an orderMismatch, not confirmed`() {
        let spec = shown.when(client: .completed).when(order: .paid(amount: 9_999))
        spec.then(
            .orderFetched(by: .order),
            .completed(.orderStatus),
            .problem(
                .orderMismatch,
                rel: .order,
                isRetryable: false,
                actor: .merchant
            )
        ).isSettled()
        #expect(spec.state.problem?.problem.kind == .orderMismatch)
        #expect(spec.state.confirmation == nil)
    }

    @Test(.feature("I-12"))
    func `a page that ends at the cancel URL cancels the checkout only after a read`() {
        let left = shown.when(client: .canceled).hasPending(.order)
        left.when(order: .paid()).then(
            .orderFetched(by: .order),
            .completed(.orderStatus),
            .orderConfirmed
        )
        var order = OrderSnapshot.sample
        order.operations = [.sample(.viewCheckout), .sample(.viewPaymentSession)]
        left.when(order: order).then(.orderFetched(by: .order), .canceled(by: .payer))
    }

    @Test(.feature("I-12"))
    func `a page that failed fails the checkout, unless the order is paid`() {
        let left = shown.when(client: .failed(error: .plain("load"))).hasPending(.order)
        // Refused: it may be paid by now, so the order is read once more before the result is
        // reported.
        let refusal = left.when(order: .sample).hasPending(.abortOrder).when(outcome: refused)
        refusal.then(.failed(.abortOrder)).hasPending(.order)
        refusal.when(order: .sample).then(
            .orderFetched(by: .order, changed: false),
            .sessionFailed(.pageFailed)
        )
        #expect(refusal.when(order: .paid()).state.outcome == .completed)
        #expect(left.when(order: .paid()).state.outcome == .completed)
    }

    @Test(arguments: [
        (OrderStatus.aborted, Outcome.canceled), (.cancelled, .canceled), (.failed, .failed),
        (.reversed, .completed),
    ])
    func `an aborted, canceled, failed or reversed order ends the checkout`(
        status: OrderStatus,
        outcome: Outcome
    ) {
        let spec = shown.when(.callback(CallbackReceived(digest: .zero))).hasPending(.order)
            .when(order: .sample.with(status))
        #expect(spec.state.outcome == outcome)
        #expect(spec.state.confirmation == nil)
    }

    @Test func `an abort of the order is sent to the PSP, and its refusal is a problem`() {
        let asked = shown.when(.abort(by: "host")).hasPending(
            .abortOrder,
            sending: .abortReason("CancelledByConsumer")
        )
        asked.when(order: .sample.with(.aborted))
            .then(.succeeded(.abortOrder), .orderFetched(by: .abortOrder), .canceled(by: .client))
        let refusal = asked.when(outcome: refused)
        refusal.then(types: "operationFailed", "problem").hasPending(.order)
        #expect(refusal.state.problem?.problem.kind == .abortNotAllowed)
        // It may be paid by now: the order is read, and the result reported.
        refusal.when(order: .sample).isSettled()
        let paid = refusal.when(order: .paid()).ended(.completed)
        #expect(paid.state.money.standing == .confirmed)
        // There is no order to give up.
        checkout().when(.abort(by: "host")).then(
            .exactly(.abortRequested(AbortRequested(by: "host"))),
            .canceled(by: .client)
        )
    }

    @Test func `an order without a page is a configuration problem, and the checkout fails`() {
        var order = OrderSnapshot.sample
        order.operations = []
        let spec = checkout().when(order: order)
        spec.then(
            .succeeded(.paymentOrders),
            .orderFetched(by: .paymentOrders),
            .problem(
                .configurationFailed,
                code: "missing-link",
                subject: "view-checkout",
                isRetryable: false,
                actor: .merchant
            ),
            .sessionFailed(.configuration)
        ).isSettled()
        #expect(spec.state.problem?.problem.kind == .configurationFailed)
    }

    @Test func `an order created with presents off shows its page on a later menu command`() {
        let spec = checkout(.sample(presents: false)).when(order: .sample)
        spec.then(.succeeded(.paymentOrders), .orderFetched(by: .paymentOrders)).isSettled()
            .hasNoPendingRequest()
        spec.when(.menu(.menu)).then(
            .menuChosen(.menu),
            .menuRequested(.menu, script: .sample("view-checkout"))
        ).isSettled()
            .when(.menu(.menu)).thenNothing()
        spec.when(.attempt(.swish(msisdn: nil))).then(rejected: .notANativeSession)
    }

    @Test func `without a callback the order of an open page is read once every 1,900 seconds`() {
        let looked = shown.hasPending(.order, in: .seconds(1_900)).isSettled()
            .when(order: .sample)
        // One look shows that nothing has changed; the next one is as late.
        looked.hasPending(.order, in: .seconds(1_900)).isSettled()
        #expect(looked.count(.order) == 1)
        #expect(looked.when(order: .paid()).state.outcome == .completed)
    }

    @Test func `a further callback records nothing while a read of the order is pending`() {
        let call = SessionCommand.callback(CallbackReceived(digest: .zero))
        let called = shown.when(call)
        called.when(call).thenNothing()
        // A callback after the read may be about something new; the next poll is not urgent.
        called.when(order: .sample).when(call).then(
            .callbackReceived(CallbackReceived(digest: .zero))
        )
        .hasPending(.order, in: .seconds(2))
    }

    @Test func `beyond their limit, callbacks are recorded when they are far apart`() {
        let call = SessionCommand.callback(CallbackReceived(digest: .zero))
        var limits = SessionLimits()
        limits.callbacks = 2
        var called = payment(limits: limits).when(.checkout(.open(.sample())))
            .when(order: .sample, status: 201)
        for _ in 1...2 { called = called.when(call).when(order: .sample) }
        called.when(call).then(rejected: .limitReached("session.callbacks"))
        called.after(limits.orderBackstop).when(call).then(types: "callbackReceived")
            .hasPending(.order)
    }

    @Test func `an order whose page the payer left is aborted, so that it cannot be paid later`() {
        let left = shown.when(client: .canceled).when(order: .sample)
        left.hasPending(.abortOrder, sending: .abortReason("CancelledByConsumer"))
        left.when(order: .sample.with(.aborted))
            .then(.succeeded(.abortOrder), .orderFetched(by: .abortOrder), .canceled(by: .payer))
        // Refused: paid at the same moment, or left all the same. The order shows which.
        let refusal = left.when(outcome: refused)
        refusal.then(.failed(.abortOrder)).hasPending(.order)
        #expect(refusal.when(order: .paid()).state.outcome == .completed)
        let ended = refusal.when(order: .sample)
        ended.then(.orderFetched(by: .order, changed: false), .canceled(by: .payer))
            .hasNoPendingRequest()
        // Paid after all: operators are informed, and the outcome stays as it is.
        let late = ended.when(.callback(CallbackReceived(digest: .zero))).when(order: .paid())
        late.then(
            .orderFetched(by: .order),
            .problem(
                .orderMismatch,
                code: "paid-after-the-end",
                rel: .order,
                isRetryable: false,
                actor: .merchant
            )
        ).isSettled().hasNoPendingRequest()
        #expect(late.state.outcome == .canceled)
        #expect(late.state.problem?.problem.kind == .orderMismatch)
    }

    @Test func `a checkout that may have been paid and cannot be read does not expire`() {
        let stalled = shown.when(client: .completed).when(outcome: refused)
        #expect(stalled.state.isStalled)
        #expect(stalled.decider.timers(in: stalled.state).isEmpty)
    }

    // MARK: Lost responses

    @Test(.feature("D-10"), .guarantee(.noDoublePay))
    func `a lost creation is repeated under the same reference, then under another`() {
        let again = checkout().when(outcome: lost).hasPending(
            .paymentOrders,
            sending: .order(OrderSubmission(document: .sample("order"), payeeReference: "REF1")),
            in: .seconds(1)
        )
        // Refused: the first try may have used the reference.
        again.when(outcome: refused).hasPending(
            .paymentOrders,
            sending: .order(OrderSubmission(document: .sample("order"), payeeReference: "REF1R1"))
        ).when(order: .sample).then(
            .succeeded(.paymentOrders),
            .orderFetched(by: .paymentOrders),
            .menuRequested(.menu, script: .sample("view-checkout"))
        )
        // Refused at the first try: that is the PSP's decision.
        let clear = checkout().when(outcome: refused)
        clear.then(
            .failed(.paymentOrders),
            .problem(
                .requestFailed,
                code: "http.status",
                status: 400,
                type: "https://api.payex.com/psp/errordetail/inputerror",
                rel: .paymentOrders,
                isRetryable: false,
                actor: .merchant
            ),
            .exactly(.failed(Failed(reason: .orderRefused)))
        ).isSettled().hasNoPendingRequest()
        #expect(clear.state.problem?.problem.status == 400)
    }

    @Test func `after an undecodable response the order is created again only on a retry`() {
        let spec = checkout().when(outcome: .undecodable(status: 201, raw: nil))
        spec.then(
            .succeeded(.paymentOrders),
            .responsesUnreadable(to: .paymentOrders)
        ).hasNoPendingRequest()
        #expect(spec.state.problem?.problem.isRetryable == true)
        spec.when(.retry(by: "host")).hasPending(.paymentOrders)
    }

    @Test func `after an empty response the order is created again only on a retry`() {
        let spec = checkout().when(outcome: .empty(status: 201))
        spec.then(
            .succeeded(.paymentOrders),
            .responsesUnreadable(to: .paymentOrders)
        ).hasNoPendingRequest()
        // At a retry, a refused reference may be the first try's.
        spec.when(.retry(by: "host")).hasPending(.paymentOrders).when(outcome: refused).hasPending(
            .paymentOrders
        )
    }

    @Test
    func `a creation whose response is truncated is tried six times, with a pause before each`() {
        let broken = ProviderResponse.Outcome.failed(
            reach: .responded,
            code: "http.truncated",
            isTransient: true
        )
        var spec = checkout()
        for _ in 1..<6 {
            spec = spec.when(outcome: broken, retryIn: .seconds(1))
                .hasPending(.paymentOrders, in: .seconds(1))
        }
        let last = spec.when(outcome: broken, retryIn: .seconds(1)).hasNoPendingRequest()
        #expect(last.count(.paymentOrders) == 6)
        #expect(last.state.problem?.problem.kind == .requestFailed)
    }

    @Test func `an abort that never changes the order is sent three times at most`() {
        var spec = shown.when(.abort(by: "host"))
        for _ in 0..<20 where spec.state.problem == nil {
            spec = spec.when(order: .sample)
        }
        #expect(spec.count(.abortOrder) <= 3)
        #expect(spec.state.problem?.problem.kind == .inconsistency)
    }
}
