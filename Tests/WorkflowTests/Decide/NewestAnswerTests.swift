import EventLog
import Inspection
import TestSupport
import Testing
import Workflow
import WorkflowTesting

@testable import SwedbankPay

/// What is told of an order's money follows the newest response, in every direction.
@Suite struct NewestAnswerTests {
    let refund = TransactionRequest(
        kind: .reversal,
        payeeReference: "REF50",
        amount: 5_000,
        vatAmount: 0,
        description: "Returned"
    )

    func checkout() -> DeciderSpec { payment().when(.checkout(.open(.sample()))) }

    /// A checkout that is paid as this order says.
    func paid(_ order: OrderSnapshot = .paid()) -> DeciderSpec {
        checkout().when(order: .sample).when(client: .completed).when(order: order)
    }

    /// The order as the PSP lists it.
    func order(
        _ status: OrderStatus = .paid,
        _ done: [(type: String, amount: Amount?)] = [],
        capturable: Amount? = nil,
        reversible: Amount? = nil,
        type: String = "Authorization"
    ) -> OrderSnapshot {
        var order = OrderSnapshot.paid()
        order.status = status
        (order.remainingCapture, order.remainingReversal) = (capturable, reversible)
        order.paid?.transactionType = type
        order.transactions =
            [FinancialTransaction(type: type, payeeReference: "REF1", amount: 10_000)]
            + done.enumerated().map { number, done in
                FinancialTransaction(
                    type: done.type,
                    payeeReference: "PORTAL\(number)",
                    amount: done.amount
                )
            }
        order.operations = [.sample(.capture), .sample(.reversal)]
        return order
    }

    func reread(_ spec: DeciderSpec, _ order: OrderSnapshot) -> DeciderSpec {
        spec.after(.seconds(60)).when(.refetch(by: "host")).when(order: order)
    }

    private func words(_ spec: DeciderSpec) -> String {
        let events = spec.log.enumerated().map { index, entry in
            RecordedEvent(
                stream: spec.state.session,
                sequence: SequenceNumber(index + 1),
                at: entry.at,
                event: entry.event,
                metadata: EventMetadata(build: "1", catalogue: "sample", cause: "c", node: "n")
            )
        }
        let story = Story(of: spec.state.session, events: events, by: spec.decider)
        let end = StoryEnd(story)
        return [end.summary, end.money, end.turn, MoneyWords(spec.state.money).brief]
            .joined(separator: "\n")
    }

    // MARK: A payment that is taken back

    @Test(.feature("M-01"), arguments: [OrderStatus.failed, .aborted])
    func `a response that takes back a payment is followed, and is a problem for the merchant`(
        status: OrderStatus
    ) throws {
        let before = paid()
        let paidAt = try #require(before.state.money.asOf)
        var failed = OrderSnapshot.sample
        failed.status = status
        failed.operations = []
        let spec = reread(before, failed)
        let money = spec.state.money
        #expect(money.standing == .none && money.taken == nil)
        #expect(money.asOf == spec.state.lastAt && money.asOf != paidAt)
        let problem = try #require(spec.state.problem?.problem)
        #expect(problem.kind == .paymentWithdrawn && problem.actor == .merchant)
        #expect(problem.subject == status.rawValue && problem.title == nil)
        #expect(spec.decider.whoseTurn(in: spec.state) == .merchant)
        let words = words(spec)
        #expect(words.contains("No longer paid") && !words.contains("Nothing has to be done"))
        #expect(!words.contains("as paid."), "\(words)")
        #expect(spec.decider.guidance(for: spec.state).newAttempt == .never)
        #expect(spec.decider.guidance(for: spec.state).message?.contains("start again") != true)
        // It is told once, and what follows is followed as well.
        let same = reread(spec, failed)
        #expect(same.count("problem") == spec.count("problem"))
        let again = reread(same, .paid())
        #expect(again.state.money.standing == .confirmed && again.state.problem == nil)
        #expect(reread(again, failed).count("problem") == spec.count("problem") + 1)
    }

    @Test func `an order that takes its payment back counts as the order's word in sums`() throws {
        var failed = OrderSnapshot.sample
        failed.status = .failed
        let spec = reread(paid(), failed)
        let facts = try #require(spec.decider.facts(of: spec.state))
        #expect(FactMarks(rawValue: facts.marks).contains(.ordersWord))
        #expect(facts.money == "none")
    }

    @Test func `a status that contradicts the amounts confirms nothing, until it is clear again`() {
        for contradiction in [
            order(.failed, capturable: 10_000, reversible: 0), order(.initialized),
            order(.cancelled, capturable: 10_000, reversible: 0),
            order(.reversed, [("Capture", 10_000)], capturable: 0, reversible: 10_000),
            order(.paid, [("Capture", 4_000)], capturable: 10_000, reversible: 0),
        ] {
            let spec = reread(paid(), contradiction)
            #expect(spec.state.money.standing == .unknown, "\(contradiction)")
            #expect(spec.state.money.doubts.map(\.cause) == [.contradiction])
            #expect(words(spec).contains("may have been taken"))
            #expect(spec.decider.guidance(for: spec.state).message == PayerGuidance.doNotPayAgain)
            spec.hasPending(.order, in: .seconds(1_900))
            #expect(reread(spec, .paid()).state.money.standing == .confirmed)
        }
    }

    // MARK: Amounts

    @Test(.feature("M-02"))
    func `the lists and remaining amounts decide, whatever the status is called`() {
        let answers: [(order: OrderSnapshot, net: Amount, capturable: Amount, reversed: Amount)] = [
            (
                order(
                    .reversed,
                    [("Capture", 4_000), ("Reversal", 4_000)],
                    capturable: 6_000,
                    reversible: 0
                ), 6_000, 6_000, 4_000
            ),
            (order(.reversed, [("Capture", 4_000), ("Reversal", 4_000)]), 6_000, 6_000, 4_000),
            (
                order(.paid, [("Cancellation", 2_500)], capturable: 7_500, reversible: 0), 7_500,
                7_500, 0
            ),
            (order(.paid, [("Cancellation", nil)], capturable: 7_500), 7_500, 7_500, 0),
            (order(.paid, [("Capture", 4_000), ("Cancellation", nil)]), 4_000, 0, 0),
            (
                order(.paid, [("Reversal", 10_000)], reversible: 0, type: "Sale"), 0, 0, 10_000
            ),
            (order(.reversed, type: "Sale"), 0, 0, 10_000), (order(.cancelled), 0, 0, 0),
        ]
        for answer in answers {
            let spec = reread(paid(), answer.order)
            let taken = spec.state.money.taken
            #expect(spec.state.money.standing == .confirmed, "\(answer.order)")
            #expect(taken?.net == answer.net, "\(answer.order)")
            #expect(taken?.capturable == answer.capturable, "\(answer.order)")
            #expect(taken?.reversed == answer.reversed, "\(answer.order)")
            guard answer.capturable > 0 else { continue }
            #expect(words(spec).contains("has to capture"), "\(answer.order)")
            #expect(!words(spec).contains("complete"))
            #expect(spec.decider.whoseTurn(in: spec.state) == .merchant, "\(answer.order)")
            // A status word that was chosen for something else does not lock the rest.
            let rest = TransactionRequest(
                kind: .capture,
                payeeReference: "REST",
                amount: answer.capturable,
                vatAmount: 0,
                description: "The rest"
            )
            spec.when(.checkout(.transact(rest))).then(.checkout(.transactionRequested(rest)))
        }
    }

    @Test func `a reversed order without a list says what its remaining amounts say`() {
        var order = order(.reversed)
        order.transactions = nil
        order.operations = []
        #expect(TakenMoney(order, newest: order)?.net == 0)
        order.operations = [.sample(.capture)]
        #expect(TakenMoney(order, newest: order)?.net == 10_000)
        #expect(TakenMoney(order, newest: order)?.capturable == nil)
        order.remainingCapture = 6_000
        #expect(TakenMoney(order, newest: order)?.net == 6_000)
    }

    @Test func `a transaction of an unknown type is told, and a person has to find out about it`() {
        let spec = reread(
            paid(),
            order(
                .paid,
                [("Capture", 10_000), ("Chargeback", 3_000)],
                capturable: 0,
                reversible: 10_000
            )
        )
        let money = spec.state.money
        #expect(money.standing == .unknown && money.taken?.net == 10_000)
        #expect(money.doubts.map(\.cause) == [.unknownTransaction("Chargeback")])
        #expect(money.doubtedAmount == 3_000)
        #expect(spec.decider.whoseTurn(in: spec.state) == .merchant)
        let words = words(spec)
        #expect(words.contains("Chargeback") && words.contains("30.00 SEK"))
        // A person's finding is kept while the response stays the same.
        let resolution = MoneyResolution(verdict: .refunded, amount: 3_000)
        let found = OperatorActed(
            by: "ada",
            action: "resolve",
            reason: "the bank's letter",
            resolution: resolution
        )
        let resolved = spec.when(.recordOperator(found))
        #expect(resolved.state.money.standing == .confirmed)
        let again = resolved.after(.seconds(60)).when(.refetch(by: "host"))
            .when(order: spec.state.checkout?.newest ?? .sample)
        #expect(again.state.money.finding == .refunded)
    }

    @Test func `the fee or discount of a method is no mismatch, and is told`() throws {
        for (paid, fee, discount, submitted) in [
            (11_900, 1_900, 0, 10_000), (9_000, 0, 1_000, nil), (9_000, 0, -1_000, nil),
            (11_900, 1_900, nil, nil),
        ] as [(Int64, Int64?, Int64?, Int64?)] {
            var order = OrderSnapshot.paid(amount: Amount(paid))
            order.paid?.feeAmount = fee.map { Amount($0) }
            order.paid?.discountAmount = discount.map { Amount($0) }
            order.paid?.submittedAmount = submitted.map { Amount($0) }
            for amount in [10_000, Amount(paid)] {
                order.amount = amount
                let spec = self.paid(order)
                #expect(spec.state.confirmation != nil && spec.state.problem == nil)
                #expect(spec.state.money.amount == 10_000)
                #expect(spec.state.money.taken?.amount == Amount(paid))
                let words = words(spec)
                #expect(words.contains("The order was for 100.00 SEK"), "\(words)")
                #expect(words.contains(fee == 1_900 ? "a fee of 19.00" : "a discount of 10.00"))
            }
        }
        // A submitted amount other than the ordered one is a mismatch, and so is a missing part.
        var other = OrderSnapshot.paid(amount: 11_900)
        other.paid?.submittedAmount = 11_900
        #expect(paid(other).state.problem?.problem.kind == .orderMismatch)
        #expect(paid(.paid(amount: 9_000)).state.problem?.problem.kind == .orderMismatch)
    }

    // MARK: Requested transactions

    var captured: OrderSnapshot {
        order(.paid, [("Capture", 10_000)], capturable: 0, reversible: 10_000)
    }

    /// A refund that the PSP accepted and performs later.
    var accepted: DeciderSpec {
        paid(captured).when(.checkout(.transact(refund))).when(order: captured)
            .hasPending(.reversal).when(outcome: .empty(status: 202)).when(order: captured)
    }

    @Test(.feature("M-04"))
    func `an accepted refund is told as requested until the PSP reports its result`() {
        let spec = accepted
        #expect(spec.state.money.standing == .confirmed)
        let requested = spec.state.money.requested
        #expect(requested.map(\.state) == [.pending] && requested.map(\.amount) == [5_000])
        #expect(spec.decider.whoseTurn(in: spec.state) == .psp)
        let words = words(spec)
        #expect(words.contains("A reversal of 50.00 SEK was requested"), "\(words)")
        #expect(!words.contains("Nothing has to be done"))
        var done = captured
        done.remainingReversal = 5_000
        let finished = reread(spec, done.with("Reversal", "REF50", 5_000))
        #expect(finished.state.money.requested.map(\.state) == [.done])
        #expect(finished.state.money.taken?.net == 5_000)
        // After days without a result, the merchant has to ask.
        var late = spec
        for _ in 0..<2 { late = late.after(.seconds(2 * 86_400)).when(order: captured) }
        #expect(late.decider.whoseTurn(in: late.state) == .merchant)
    }

    @Test func `a refund that fails after it was accepted is told, and can be requested again`() {
        var failed = captured
        failed.failedTransactions = [FailedTransaction(type: "Reversal", number: 9)]
        let spec = reread(accepted, failed)
        #expect(spec.state.checkout?.transactions.last?.result == .refused)
        #expect(spec.state.money.requested.map(\.state) == [.refused])
        #expect(spec.state.money.taken?.net == 10_000)
        #expect(spec.decider.whoseTurn(in: spec.state) == .merchant)
        #expect(
            words(spec).contains("the reversal of 50.00 SEK, which the PSP had accepted, failed")
        )
        var again = refund
        again.payeeReference = "REF51"
        let second = spec.when(.checkout(.transact(again))).when(order: failed)
            .hasPending(.reversal).when(outcome: .empty(status: 202)).when(order: failed)
        // The failure of the first one is not that of the second.
        #expect(second.state.checkout?.transactions.last?.result == .accepted)
        failed.failedTransactions?.append(FailedTransaction(type: "Reversal"))
        #expect(reread(second, failed).state.checkout?.transactions.last?.result == .refused)
    }

    @Test func `of several failures none is taken for the pending refund`() {
        var failed = captured
        failed.failedTransactions = [
            FailedTransaction(type: "Reversal", number: 8),
            FailedTransaction(type: "Reversal", number: 9),
        ]
        let guessed = reread(accepted, failed)
        #expect(guessed.state.checkout?.transactions.last?.result == .accepted)
        failed.failedTransactions = [FailedTransaction(type: "Capture")]
        #expect(reread(accepted, failed).state.checkout?.transactions.last?.result == .accepted)
    }

    @Test func `the doubt about a refund names its amount, and only that is in doubt`() throws {
        let lost = ProviderResponse.Outcome.failed(
            reach: .maybeSent,
            code: "http.timeout",
            isTransient: true
        )
        let spec = paid(captured).when(.checkout(.transact(refund))).when(order: captured)
            .when(outcome: lost)
        #expect(spec.state.money.standing == .unknown)
        #expect(spec.state.money.doubts.map(\.amount) == [5_000])
        let facts = try #require(spec.decider.facts(of: spec.state))
        #expect(facts.net == 10_000 && facts.doubted == 5_000)
        let words = words(spec)
        #expect(words.contains("The request for a reversal of 50.00 SEK was sent"), "\(words)")
        #expect(words.contains("a reversal of 50.00 SEK in doubt"))
    }

    // MARK: One order, two sessions

    @Test(.feature("M-05"))
    func `the native session of an order tells the same money as its checkout`() throws {
        var opened = Opened.sample()
        opened.checkout = SessionID(at: Instant(microseconds: 0), random: (7, 7))
        var native = payment().given(
            .opened(opened),
            .fetched(
                Fetched(
                    cause: .session,
                    digest: SnapshotCodec.digest(of: .paid),
                    durationMilliseconds: nil,
                    snapshot: .paid
                )
            ),
            .completed(Completed(evidence: .redirectToCompleteURL))
        )
        #expect(native.state.money.taken?.evidence == .redirect)
        native = native.after(.seconds(3600))
        var failed = OrderSnapshot.sample
        failed.status = .failed
        let refunded = order(
            .paid,
            [("Capture", 10_000), ("Reversal", 10_000)],
            capturable: 0,
            reversible: 0
        )
        let answers = [
            captured, refunded, order(.paid, [("Chargeback", 3_000)]), order(.initialized), failed,
        ]
        var checkout = paid()
        for answer in answers {
            checkout = reread(checkout, answer)
            let report = try #require(checkout.state.checkout?.report)
            #expect(report.order?.operations.isEmpty == true)
            native = native.after(.seconds(60)).when(.checkout(.report(report)))
            let (one, other) = (checkout.state.money, native.state.money)
            #expect(one.standing == other.standing, "\(answer)")
            #expect(one.taken == other.taken && one.asOf == other.asOf, "\(answer)")
            #expect(one.doubts.map(\.cause) == other.doubts.map(\.cause), "\(answer)")
            // The same report changes nothing.
            native.when(.checkout(.report(report))).thenNothing()
        }
        #expect(native.state.problem?.problem.kind == .paymentWithdrawn)
        #expect(!words(native).contains("Nothing has to be done"))
        // Before it is paid, there is nothing to report.
        #expect(self.checkout().when(order: .sample).state.checkout?.report == nil)
    }

    // MARK: The end of a session

    @Test(.feature("M-03"))
    func `a session expires only after a read that was sent after its limit`() {
        let limit = SessionLimits().session
        var spec = payment().ready()
        // It is read shortly before its limit; then the payer pays on another device.
        spec = spec.after(limit - .seconds(40)).when(.refetch(by: "host"))
            .when(response: .withSwishAndCard)
        let due = spec.whenDue(.sessionLimit)
        due.then(.refetchRequested(RefetchRequested(by: SessionDecider.lastLook))).ended(nil)
        due.when(response: .paid).ended(.completed)
        let unpaid = due.when(response: .withSwishAndCard).whenDue(.sessionLimit).ended(.expired)
        #expect(unpaid.state.money.standing == MoneyState.Standing.none)
    }

    @Test func `a session that cannot be read after its limit ends with its money unknown`() {
        let limit = SessionLimits().session
        let refused = ProviderResponse.Outcome.refused(403)
        let spec = payment().ready().after(limit - .seconds(40)).when(.refetch(by: "host"))
            .when(response: .withSwishAndCard).whenDue(.sessionLimit).when(outcome: refused)
            .whenDue(.sessionLimit).ended(.expired)
        #expect(spec.state.money.standing == .unknown)
    }

    @Test func `a session that has ended can be read again, and a late payment is reported`() {
        let ended = payment().ready().whenDue(.sessionLimit).when(response: .withSwishAndCard)
            .whenDue(.sessionLimit).ended(.expired)
        let asked = ended.after(.seconds(600)).when(.refetch(by: "host"))
        asked.then(.refetchRequested(RefetchRequested(by: "host"))).hasPending(.session).isSettled(
            false
        )
        let unpaid = asked.when(response: .withSwishAndCard).isSettled()
        #expect(unpaid.state.money.standing == MoneyState.Standing.none)
        let paid = asked.when(response: .paid)
        paid.then(types: "fetched", "problem").ended(.expired).isSettled()
        #expect(paid.state.money.standing == .confirmed)
        #expect(paid.state.problem?.problem.kind == .orderMismatch)
        #expect(paid.decider.whoseTurn(in: paid.state) == .merchant)
        // A session that is gone by then is no problem.
        let gone = asked.when(outcome: .refused(404)).isSettled()
        #expect(gone.state.problem == nil && gone.state.requests.need == nil)
    }

    @Test func `a paid session that is read again and is unpaid is taken back`() {
        let paid = payment().ready().when(.returned(.original)).when(response: .paid)
        let spec = paid.after(.seconds(60)).when(.refetch(by: "host")).when(response: .givenUp)
        #expect(spec.state.money.standing == MoneyState.Standing.none)
        #expect(spec.state.problem?.problem.kind == .paymentWithdrawn)
        let open = paid.after(.seconds(60)).when(.refetch(by: "host"))
            .when(response: .withSwishAndCard)
        #expect(open.state.money.standing == .unknown)
    }
}

extension OrderSnapshot {
    fileprivate func with(_ type: String, _ reference: String, _ amount: Amount) -> OrderSnapshot {
        var order = self
        order.transactions?.append(
            FinancialTransaction(type: type, payeeReference: reference, amount: amount)
        )
        return order
    }
}
