import Testing
import Workflow
import WorkflowTesting

/// What is done with an order: another method, a native session, captures.
@Suite struct CheckoutOrderTests {
    let lost = ProviderAnswer.Outcome.failed(
        reach: .maybeSent,
        code: "http.timeout",
        isTransient: true
    )
    let refused = ProviderAnswer.Outcome.refused(
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

    @Test func `another method locks the order anew, and the page is shown anew`() {
        let first = locked.state.actions.last?.id
        let asked = locked.when(.checkout(.instrument(.swish))).owes(
            .setInstrument,
            sending: .instrument(.swish)
        )
        asked.then(types: "instrumentChosen")
        let changed = asked.when(order: .locked(to: .swish))
        changed.then(types: "operationSucceeded", "orderFetched", "menuRequested").isSettled()
        #expect(
            changed.state.actions.last?.kind
                == .showMenu(script: .sample("view-checkout"), mode: .instrument(.swish))
        )
        #expect(changed.state.actions.first { $0.id == first }?.status == .withdrawn)
    }

    @Test func `a newer wish replaces an older one, also while that is under way`() {
        let spec = locked.when(.checkout(.instrument(.swish))).whenRequestLeaves()
            .when(.checkout(.instrument(.creditCard)))
        spec.then(types: "instrumentChosen")
    }

    @Test func `a method that the PSP refuses leaves the order and its page as they are`() {
        let spec = locked.when(.checkout(.instrument(.swish))).when(outcome: refused)
        spec.then(types: "operationFailed", "problem").isSettled()
        #expect(spec.state.problem?.problem.kind == .methodNotAvailable)
        #expect(spec.state.actions.last?.isOpen == true)
    }

    @Test func `only an order that is locked to a method can be locked to another`() {
        checkout().when(order: .sample).when(.checkout(.instrument(.swish)))
            .then(rejected: .notInInstrumentMode)
        locked.when(.checkout(.instrument(PaymentMethodName(rawValue: "Trustly"))))
            .then(rejected: .menuMethodNotOffered(offered: [.creditCard, .swish]))
        locked.when(.checkout(.instrument(.creditCard))).thenNothing()
    }

    // MARK: Native sessions

    @Test func `a native session takes over, and its end is confirmed by the order`() {
        let native = SessionID(at: Instant(microseconds: 0), random: (7, 7))
        let spec = checkout().when(order: .sample).when(.checkout(.handOver(native)))
        spec.then(types: "handedOver").isSettled().owesNoRequest()
        #expect(spec.state.actions.allSatisfy { !$0.isOpen })
        // Back to the PSP's page.
        spec.when(.checkout(.handBack(HandedBack(session: native, outcome: nil))))
            .then(types: "handedBack", "menuRequested")
        // Paid natively.
        spec.when(.checkout(.handBack(HandedBack(session: native, outcome: .completed))))
            .then(types: "handedBack").owes(.order).when(order: .paid())
            .then(types: "orderFetched", "completed", "orderConfirmed")
    }

    @Test func `a native session learns that its order is confirmed, once`() {
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

    @Test func `a capture reads the order, is sent once, and is done when the order shows it`() {
        let asked = paid.when(.checkout(.transact(capture)))
        asked.then(types: "transactionRequested").owes(.order)
        let sent = asked.when(order: .paid()).owes(.capture, sending: .transaction(capture))
        let taken = sent.when(order: .paid().with("Capture", "CAP1"))
        taken.then(types: "operationSucceeded", "orderFetched", "transactionSettled")
            .owesNoRequest().isSettled()
        #expect(taken.state.checkout?.transactions.last?.result == .done)
        #expect(taken.state.outcome == .completed)
        taken.when(.checkout(.transact(capture))).thenNothing()
    }

    @Test func `after a lost answer the order tells whether the capture happened`() {
        let sent = paid.when(.checkout(.transact(capture))).when(order: .paid())
            .when(outcome: lost)
        sent.owes(.order, in: .seconds(1))
        // It did: it is not sent again.
        sent.when(order: .paid().with("Capture", "CAP1"))
            .then(types: "orderFetched", "transactionSettled").owesNoRequest()
        // It did not.
        sent.when(order: .paid()).owes(.capture, sending: .transaction(capture))
    }

    @Test func `a transaction that the PSP takes and does later is accepted, then done`() {
        let sent = paid.when(.checkout(.transact(capture))).when(order: .paid())
        let taken = sent.when(outcome: .empty(status: 202)).owes(.order).when(order: .paid())
        taken.then(types: "orderFetched", "transactionSettled").owesNoRequest().isSettled()
        #expect(taken.state.checkout?.transactions.last?.result == .accepted)
        taken.when(.callback(CallbackReceived(digest: .zero))).owes(.order)
            .when(order: .paid().with("Capture", "CAP1"))
            .then(types: "orderFetched", "transactionSettled")
    }

    @Test func `what the PSP refuses is refused, and four refusals in a row are enough`() {
        var spec = paid
        for number in 1...4 {
            var request = capture
            request.payeeReference = "CAP\(number)"
            spec = spec.when(.checkout(.transact(request)))
            spec = spec.when(order: .paid()).when(outcome: refused)
            spec.then(types: "operationFailed", "transactionSettled").isSettled()
        }
        var other = capture
        other.amount = 1
        spec.when(.checkout(.transact(capture))).thenNothing()
            .when(.checkout(.transact(other))).then(rejected: .referenceUsed)
        var fifth = capture
        fifth.payeeReference = "CAP5"
        spec.when(.checkout(.transact(fifth)))
            .then(rejected: .limitReached("order.refused-transactions"))
    }

    @Test func `only what is paid and left can be captured, one at a time`() {
        checkout().when(order: .sample).when(.checkout(.transact(capture)))
            .then(rejected: .orderNotPaid)
        var greater = capture
        greater.amount = 10_001
        paid.when(.checkout(.transact(greater))).then(rejected: .amountTooLarge(remaining: 10_000))
        var other = capture
        other.payeeReference = "CAP2"
        paid.when(.checkout(.transact(capture))).when(.checkout(.transact(other)))
            .then(rejected: .transactionRunning(.capture))
        checkout(.sample(.merchantBackend)).when(.checkout(.transact(capture)))
            .then(rejected: .transactionsNotPossible)
    }

    @Test func `what stays undone after all tries can be asked for again after the end`() {
        var spec = paid.when(.checkout(.transact(capture))).when(order: .paid())
        var rounds = 0
        while spec.state.problem == nil {
            spec = spec.when(outcome: lost)
            if spec.state.problem == nil { spec = spec.when(order: .paid()) }
            rounds += 1
            if rounds > 40 { break }
        }
        #expect(spec.state.problem?.problem.kind == .requestFailed)
        spec.isSettled().when(.retry(by: "host")).then(types: "retryRequested").owes(.order)
    }
}
