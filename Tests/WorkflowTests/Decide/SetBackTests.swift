import EventLog
import TestSupport
import Testing
import WorkflowTesting

@testable import SwedbankPay

/// Sessions that were put back to an earlier state, as the PSP's list of transactions shows.
@Suite(.threat("T-16")) struct SetBackTests {
    let refund = TransactionRequest(
        kind: .reversal,
        payeeReference: "REF50",
        amount: 5_000,
        vatAmount: 0,
        description: "Returned"
    )
    let looked = OperatorActed(
        by: "ada",
        action: "resolve",
        reason: "the PSP's portal",
        resolution: MoneyResolution(verdict: .paid)
    )

    func paid() -> DeciderSpec {
        payment().when(.checkout(.open(.sample()))).when(order: .sample)
            .when(client: .completed).when(order: order())
    }

    /// A captured order with another transaction under this reference.
    func order(_ type: String = "Reversal", _ reference: String? = nil) -> OrderSnapshot {
        var order = OrderSnapshot.paid()
        order.paid?.transactionType = "Authorization"
        order.transactions = [
            FinancialTransaction(type: "Authorization", payeeReference: "REF1", amount: 10_000),
            FinancialTransaction(type: "Capture", payeeReference: "PORTAL", amount: 10_000),
        ]
        (order.remainingCapture, order.remainingReversal) = (0, reference == nil ? 10_000 : 5_000)
        if let reference {
            order.transactions?.append(
                FinancialTransaction(type: type, payeeReference: reference, amount: 5_000)
            )
        }
        order.operations = [.sample(.reversal)]
        return order
    }

    func reread(_ spec: DeciderSpec, _ order: OrderSnapshot) -> DeciderSpec {
        spec.after(.seconds(60)).when(.refetch(by: "host")).when(order: order)
    }

    @Test func `nothing is sent while the order shows a transaction of ours that the log lacks`() {
        let session = paid().state.session
        let lost = order("Reversal", OwnReference.make(for: session, from: 17))
        let setBack = reread(paid(), lost)
        #expect(setBack.state.money.standing == .unknown)
        #expect(setBack.state.money.doubts.map(\.cause) == [.lostTransaction("Reversal")])
        #expect(setBack.state.money.doubtedAmount == 5_000)
        #expect(setBack.decider.whoseTurn(in: setBack.state) == .merchant)
        setBack.when(.checkout(.transact(refund))).then(rejected: .transactionLost)
        // It is still so after further responses, until a person has recorded what happened.
        var later = lost
        later.failedAttempts = 1
        #expect(reread(setBack, later).state.money.isSetBack)
        let resolved = setBack.when(.recordOperator(looked))
        #expect(resolved.state.money.standing == .confirmed)
        let again = reread(resolved, later)
        #expect(again.state.money.standing == .confirmed && !again.state.money.isSetBack)
        again.when(.checkout(.transact(refund))).then(.checkout(.transactionRequested(refund)))
    }

    @Test func `a refund that was requested again is given up when the order shows the first one`()
    {
        let lost = order("Reversal", OwnReference.make(for: paid().state.session, from: 17))
        let asked = paid().when(.checkout(.transact(refund)))
        asked.hasPending(.order)
        let setBack = asked.when(order: lost)
        setBack.then(
            .orderFetched(by: .order),
            .exactly(
                .checkout(
                    .transactionSettled(
                        TransactionSettled(payeeReference: refund.payeeReference, result: .notDone)
                    )
                )
            )
        ).hasNoPendingRequest()
        #expect(setBack.state.checkout?.transactions.map(\.result) == [.notDone])
        #expect(setBack.state.money.isSetBack)
        setBack.when(.recordOperator(looked)).hasNoPendingRequest()
    }

    @Test func `transactions of others, and those in the log, are not taken for lost ones`() {
        let session = paid().state.session
        let other = SessionID(high: session.high, low: session.low ^ 1)
        var altered = OwnReference.make(for: session, from: 17)
        altered.removeLast()
        altered += altered.hasPrefix("0") ? "!" : "0"
        for reference in ["PORTAL2", OwnReference.make(for: other, from: 17), altered + "x"] {
            #expect(!reread(paid(), order("Reversal", reference)).state.money.isSetBack)
        }
        var own = refund
        own.payeeReference = OwnReference.make(for: session, from: 18)
        let sent = paid().when(.checkout(.transact(own))).when(order: order())
        sent.hasPending(.reversal)
        let done = reread(sent, order("Reversal", own.payeeReference))
        #expect(!done.state.money.isSetBack)
    }
}
