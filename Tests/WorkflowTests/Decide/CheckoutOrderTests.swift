import EventLog
import SwedbankPay
import TestSupport
import Testing
import Workflow
import WorkflowTesting

/// Operations on an order: another method, a native session, captures.
@Suite struct CheckoutOrderTests {
    let lost = ProviderResponse.Outcome.failed(
        reach: .maybeSent,
        code: "http.timeout",
        isTransient: true
    )
    let refused = ProviderResponse.Outcome.refused(
        status: 403,
        document: ProblemDocument(type: "https://api.payex.com/psp/errordetail/forbidden"),
        retryAfter: nil
    )
    let capture = TransactionRequest(
        kind: .capture,
        payeeReference: "CAP1",
        amount: 10_000,
        vatAmount: 2_000,
        description: "Shipment"
    )

    func checkout(_ opened: CheckoutOpened = .sample()) -> DeciderSpec {
        payment().when(.checkout(.open(opened)))
    }

    var locked: DeciderSpec {
        checkout(.sample(instrument: .creditCard)).when(order: .locked(to: .creditCard))
    }

    var paid: DeciderSpec {
        checkout().when(order: .sample).when(client: .completed).when(order: .paid())
    }

    // MARK: Instrument mode

    @Test(.feature("O-11"))
    func `a choice of another method locks the order to it and requests the page again`() {
        let first = locked.state.actions.last?.id
        let asked = locked.when(.checkout(.instrument(.swish))).hasPending(
            .setInstrument,
            sending: .instrument(.swish)
        )
        asked.then(.exactly(.checkout(.instrumentChosen(InstrumentChosen(instrument: .swish)))))
        let changed = asked.when(order: .locked(to: .swish))
        changed.then(
            .succeeded(.setInstrument),
            .orderFetched(by: .setInstrument),
            .menuRequested(.instrument(.swish), script: .sample("view-checkout"))
        ).isSettled()
        #expect(
            changed.state.actions.last?.kind
                == .showMenu(script: .sample("view-checkout"), mode: .instrument(.swish))
        )
        #expect(changed.state.actions.first { $0.id == first }?.status == .withdrawn)
    }

    @Test(.feature("O-13"))
    func `a newer choice of method is recorded while an older one is under way`() {
        let spec = locked.when(.checkout(.instrument(.swish))).whenRequestLeaves()
            .when(.checkout(.instrument(.creditCard)))
        spec.then(.exactly(.checkout(.instrumentChosen(InstrumentChosen(instrument: .creditCard)))))
    }

    @Test(.feature("O-14"))
    func `a method change that the PSP refuses is a problem, and the page stays open`() {
        let spec = locked.when(.checkout(.instrument(.swish))).when(outcome: refused)
        spec.then(
            .failed(.setInstrument),
            .problem(
                .methodNotAvailable,
                code: "http.status",
                status: 403,
                type: "https://api.payex.com/psp/errordetail/forbidden",
                rel: .setInstrument,
                isRetryable: false,
                actor: .merchant
            )
        ).isSettled()
        #expect(spec.state.problem?.problem.kind == .methodNotAvailable)
        #expect(spec.state.actions.last?.isOpen == true)
    }

    @Test(.feature("O-11"))
    func `only an order in instrument mode can change its method, to one that it offers`() {
        checkout().when(order: .sample).when(.checkout(.instrument(.swish)))
            .then(rejected: .notInInstrumentMode)
        locked.when(.checkout(.instrument(PaymentMethodName(rawValue: "Trustly"))))
            .then(rejected: .menuMethodNotOffered(offered: [.creditCard, .swish]))
        locked.when(.checkout(.instrument(.creditCard))).thenNothing()
    }

    // MARK: Native sessions

    @Test(.feature("D-13"))
    func `a native session takes over, and the order confirms its payment`() {
        let native = SessionID(at: Instant(microseconds: 0), random: (7, 7))
        let spec = checkout().when(order: .sample).when(.checkout(.handOver(native)))
        // Without a report on the result, the order is read, late.
        spec.then(.checkout(.handedOver(HandedOver(session: native)))).isSettled()
            .hasPending(.order, in: .seconds(1_900))
        #expect(spec.state.actions.allSatisfy { !$0.isOpen })
        // Back to the PSP's page.
        spec.when(.checkout(.handBack(HandedBack(session: native, outcome: nil))))
            .then(
                .exactly(.checkout(.handedBack(HandedBack(session: native, outcome: nil)))),
                .menuRequested(.menu, script: .sample("view-checkout"))
            )
        // Paid natively.
        spec.when(.checkout(.handBack(HandedBack(session: native, outcome: .completed))))
            .then(.checkout(.handedBack(HandedBack(session: native, outcome: .completed))))
            .hasPending(.order).when(order: .paid())
            .then(.orderFetched(by: .order), .completed(.orderStatus), .orderConfirmed)
    }

    @Test func `an order is not aborted if the payer left its page to pay natively`() {
        let native = SessionID(at: Instant(microseconds: 0), random: (7, 7))
        let left = checkout().when(order: .sample).when(client: .canceled).when(order: .sample)
        left.hasPending(.abortOrder, sending: .abortReason("CancelledByConsumer"))
        left.when(.checkout(.handOver(native)))
            .then(.checkout(.handedOver(HandedOver(session: native)))).isSettled()
            .hasPending(.order, in: .seconds(1_900))
    }

    @Test func `closing the page after a native payment does not abort the order`() {
        let native = SessionID(at: Instant(microseconds: 0), random: (7, 7))
        let back = checkout().when(order: .sample).when(.checkout(.handOver(native)))
            .when(.checkout(.handBack(HandedBack(session: native, outcome: nil))))
        let paid = back.when(
            .checkout(.handBack(HandedBack(session: native, outcome: .completed)))
        )
        let closed = paid.when(client: .canceled)
        closed.then(.menuClosed(.canceled)).hasPending(.order)
        #expect(closed.state.checkout?.left == .completed)
        // As long as the order does not show the payment, it is read, and never aborted.
        closed.when(order: .sample).then(.orderFetched(by: .order, changed: false)).hasPending(
            .order,
            in: .seconds(2)
        )
        // The payer may have paid there as well: the order is read as often as if nothing was
        // known.
        let read = paid.when(order: .sample).when(order: .sample)
        read.hasPending(.order, in: .seconds(5))
        read.when(client: .completed).hasPending(.order).when(order: .sample)
            .hasPending(.order, in: .seconds(2))
    }

    @Test func `an unconfirmed native payment is still polled after a later session expires`() {
        let first = SessionID(at: Instant(microseconds: 0), random: (7, 7))
        let second = SessionID(at: Instant(microseconds: 0), random: (8, 8))
        var opened = CheckoutOpened.sample()
        opened.presents = false
        var spec = checkout(opened).when(order: .sample).when(.checkout(.handOver(first)))
            .when(.checkout(.handBack(HandedBack(session: first, outcome: .completed))))
        for _ in 0..<20 where spec.state.problem == nil { spec = spec.when(order: .sample) }
        #expect(spec.state.problem?.problem.kind == .notConfirmed)
        spec = spec.when(.checkout(.handOver(second)))
            .when(.checkout(.handBack(HandedBack(session: second, outcome: .expired))))
            .when(order: .sample)
        #expect(spec.state.money.standing == .unknown)
        spec.hasPending(.order, in: .seconds(1_900))
    }

    @Test func `a native session records the confirmation of its order once`() {
        let confirmed = OrderConfirmed(
            order: "/psp/paymentorders/1",
            number: 1,
            instrument: .swish,
            currency: "SEK",
            amount: 10_000,
            transactionType: "Sale"
        )
        var opened = Opened.sample()
        opened.checkout = SessionID(at: Instant(microseconds: 0), random: (7, 7))
        let spec = payment().given(
            .opened(opened),
            .completed(Completed(evidence: .redirectToCompleteURL))
        )
        spec.when(.checkout(.confirm(confirmed))).then(.checkout(.orderConfirmed(confirmed)))
            .when(.checkout(.confirm(confirmed))).thenNothing()
    }

    // MARK: Money

    @Test(.feature("D-14"))
    func `a capture is sent once after a read, and is done when the order shows it`() {
        let asked = paid.when(.checkout(.transact(capture)))
        asked.then(.checkout(.transactionRequested(capture))).hasPending(.order)
        let sent = asked.when(order: .paid()).hasPending(.capture, sending: .transaction(capture))
        let taken = sent.when(order: .paid().with("Capture", "CAP1"))
        taken.then(
            .succeeded(.capture),
            .orderFetched(by: .capture),
            .exactly(
                .checkout(
                    .transactionSettled(TransactionSettled(payeeReference: "CAP1", result: .done))
                )
            )
        )
        .hasNoPendingRequest().isSettled()
        #expect(taken.state.checkout?.transactions.last?.result == .done)
        #expect(taken.state.outcome == .completed)
        taken.when(.checkout(.transact(capture))).thenNothing()
    }

    @Test(.guarantee(.noDoublePay))
    func `after a lost response a read of the order decides whether to capture again`() {
        let sent = paid.when(.checkout(.transact(capture))).when(order: .paid())
            .when(outcome: lost)
        sent.hasPending(.order, in: .seconds(1))
        // It took effect: it is not sent again.
        sent.when(order: .paid().with("Capture", "CAP1"))
            .then(
                .orderFetched(by: .order),
                .exactly(
                    .checkout(
                        .transactionSettled(
                            TransactionSettled(payeeReference: "CAP1", result: .done)
                        )
                    )
                )
            ).hasNoPendingRequest()
        // It did not take effect.
        sent.when(order: .paid()).hasPending(.capture, sending: .transaction(capture))
    }

    @Test func `a repeated capture that is refused is done if the order shows it`() {
        let again = paid.when(.checkout(.transact(capture))).when(order: .paid())
            .when(outcome: lost).when(order: .paid()).when(outcome: refused)
        again.hasPending(.order).when(order: .paid().with("Capture", "CAP1"))
            .then(
                .orderFetched(by: .order),
                .exactly(
                    .checkout(
                        .transactionSettled(
                            TransactionSettled(payeeReference: "CAP1", result: .done)
                        )
                    )
                )
            )
        // The same when it appears later.
        let refusal = again.when(order: .paid())
        #expect(refusal.state.checkout?.transactions.last?.result == .refused)
        let late = refusal.when(.refetch(by: "host")).when(order: .paid().with("Capture", "CAP1"))
        late.then(
            .orderFetched(by: .order),
            .exactly(
                .checkout(
                    .transactionSettled(TransactionSettled(payeeReference: "CAP1", result: .done))
                )
            )
        )
        #expect(late.state.checkout?.transactions.last?.result == .done)
    }

    @Test func `after its store is adopted, an order is read before anything is sent`() {
        let acted = OperatorActed(by: "ada", action: SessionDecider.adopting, reason: "restored")
        let spec = locked.when(.checkout(.instrument(.swish)))
        guard case .request(let pending) = spec.decider.next(in: spec.state) else {
            Issue.record("no request is pending")
            return
        }
        #expect(pending.rel == .setInstrument)
        var state = spec.state
        let events = spec.decider.adoption(by: acted, in: state, at: state.lastAt)
        #expect(events.map(\.typeName) == ["operatorActed", "refetchRequested"])
        for event in events { state.apply(event, at: state.lastAt) }
        guard case .request(let next) = spec.decider.next(in: state) else {
            Issue.record("nothing is read")
            return
        }
        #expect(next.rel == .order && next.onlyReads)
        // Before there is an order there is nothing to read, and the PSP refuses a used reference.
        let opened = checkout().when(.checkout(.open(.sample()))).state
        #expect(spec.decider.adoption(by: acted, in: opened, at: opened.lastAt).isEmpty)
    }

    @Test func `a capture with a used reference or malformed values is refused before it is sent`()
    {
        var request = capture
        request.payeeReference = "REF1"
        paid.when(.checkout(.transact(request))).then(rejected: .referenceUsed)
        request.payeeReference = "with-marks"
        paid.when(.checkout(.transact(request))).then(
            rejected: .malformedTransaction([
                FieldProblem(
                    "payeeReference",
                    "must consist of the letters A-Z and a-z and digits"
                )
            ])
        )
    }

    @Test func `a response to an older choice of method does not discard the newer one`() {
        let running = locked.when(.checkout(.instrument(.swish))).whenRequestLeaves()
        let newer = running.when(.checkout(.instrument(PaymentMethodName(rawValue: "Swish2"))))
        newer.then(rejected: .menuMethodNotOffered(offered: [.creditCard, .swish]))
        let back = running.when(.checkout(.instrument(.creditCard)))
        back.then(.exactly(.checkout(.instrumentChosen(InstrumentChosen(instrument: .creditCard)))))
        let effect = back.state.running?.start.effect ?? EffectID(rawValue: "none")
        let answered = back.when(
            .requestEnded(
                effect,
                .empty(status: 204),
                durationMilliseconds: 1,
                retryAt: back.state.lastAt
            )
        )
        #expect(answered.state.checkout?.order?.instrument == .swish)
        #expect(answered.state.checkout?.wantedInstrument == .creditCard)
    }

    @Test
    func `a capture with response 202 is accepted, and settled again when the order shows it`() {
        let sent = paid.when(.checkout(.transact(capture))).when(order: .paid())
        let taken = sent.when(outcome: .empty(status: 202)).hasPending(.order).when(order: .paid())
        taken.then(
            .orderFetched(by: .order, changed: false),
            .exactly(
                .checkout(
                    .transactionSettled(
                        TransactionSettled(payeeReference: "CAP1", result: .accepted)
                    )
                )
            )
        ).isSettled()
            .hasPending(.order, in: .seconds(1_900))
        #expect(taken.state.checkout?.transactions.last?.result == .accepted)
        taken.when(.callback(CallbackReceived(digest: .zero))).hasPending(.order)
            .when(order: .paid().with("Capture", "CAP1"))
            .then(
                .orderFetched(by: .order),
                .exactly(
                    .checkout(
                        .transactionSettled(
                            TransactionSettled(payeeReference: "CAP1", result: .done)
                        )
                    )
                )
            )
    }

    @Test
    func `a capture that the PSP refuses is settled after a read; after four a fifth is refused`() {
        var spec = paid
        for number in 1...4 {
            var request = capture
            request.payeeReference = "CAP\(number)"
            spec = spec.when(.checkout(.transact(request)))
            // An earlier try may have used the reference: the order is read before the refusal is
            // reported.
            spec = spec.when(order: .paid()).when(outcome: refused).hasPending(.order)
            spec = spec.when(order: .paid())
            spec.then(
                .orderFetched(by: .order, changed: false),
                .exactly(
                    .checkout(
                        .transactionSettled(
                            TransactionSettled(payeeReference: "CAP\(number)", result: .refused)
                        )
                    )
                )
            ).isSettled()
        }
        var other = capture
        other.amount = 1
        spec.when(.checkout(.transact(capture))).thenNothing()
            .when(.checkout(.transact(other))).then(rejected: .referenceUsed)
        var fifth = capture
        fifth.payeeReference = "CAP5"
        spec.when(.checkout(.transact(fifth)))
            .then(rejected: .refusedInARow(.capture, 4))
    }

    @Test func `only the remaining amount of a paid order can be captured, one capture at a time`()
    {
        checkout().when(order: .sample).when(.checkout(.transact(capture)))
            .then(rejected: .orderNotPaid)
        var greater = capture
        greater.amount = 10_001
        paid.when(.checkout(.transact(greater))).then(
            rejected: .amountTooLarge(remaining: 10_000, currency: "SEK")
        )
        var other = capture
        other.payeeReference = "CAP2"
        paid.when(.checkout(.transact(capture))).when(.checkout(.transact(other)))
            .then(rejected: .transactionRunning(.capture))
        checkout(.sample(.merchantBackend)).when(.checkout(.transact(capture)))
            .then(rejected: .transactionsNotPossible)
    }

    @Test(arguments: ["SEK", nil], ["SEK", nil])
    func `a capture in another currency than the order's, or than its terms', is refused`(
        shown: String?,
        asked: String?
    ) {
        var opened = CheckoutOpened.sample()
        opened.terms.currency = asked
        func order(_ order: OrderSnapshot) -> OrderSnapshot {
            var order = order
            order.currency = shown
            return order
        }
        let paid = checkout(opened).when(order: order(.sample)).when(client: .completed)
            .when(order: order(.paid()))
        let abroad = paid.when(.checkout(.transact(capture, currency: "EUR")))
        if shown == nil, asked == nil {
            // Nothing is known to compare with; the PSP decides.
            abroad.then(.checkout(.transactionRequested(capture)))
        } else {
            abroad.then(rejected: .currencyDiffers(ordered: "SEK"))
        }
        paid.when(.checkout(.transact(capture, currency: "SEK"))).then(
            types: "transactionRequested"
        )
    }

    @Test(.guarantee(.terminalIsFinal))
    func `a capture whose tries are exhausted can be retried after the checkout's end`() {
        var spec = paid.when(.checkout(.transact(capture))).when(order: .paid())
        var rounds = 0
        while spec.state.problem == nil {
            spec = spec.when(outcome: lost)
            if spec.state.problem == nil { spec = spec.when(order: .paid()) }
            rounds += 1
            if rounds > 40 { break }
        }
        #expect(spec.state.problem?.problem.kind == .requestFailed)
        spec.isSettled().when(.retry(by: "host")).then(
            .exactly(.retryRequested(RetryRequested(by: "host")))
        ).hasPending(.order)
    }
}
