import EventLog
import Testing
import WorkflowTesting

@testable import SwedbankPay

/// The projection of money, for orders as the PSP's documents describe them.
@Suite struct MoneyTests {
    private func order(
        _ status: OrderStatus = .paid,
        _ type: String = "Authorization",
        _ done: [(String, Amount)] = [],
        paid: Amount = 10_000
    ) -> OrderSnapshot {
        var order = OrderSnapshot.paid(amount: paid)
        order.status = status
        order.remainingCapture = nil
        order.remainingReversal = nil
        order.paid?.transactionType = type
        order.transactions =
            [FinancialTransaction(type: type, amount: paid)]
            + done.map { FinancialTransaction(type: $0.0, amount: $0.1) }
        return order
    }

    /// A log of anyone's may have any amount in its first event.
    @Test(arguments: [0, -1, nil, 64_900] as [Amount?])
    func `an amount given at opening never makes a session a verification`(amount: Amount?) {
        var opened = Opened.sample()
        (opened.amount, opened.currency) = (amount, "SEK")
        var state = SessionState(session: SessionID(at: Instant(microseconds: 1), random: (1, 2)))
        let event = SessionEvent.opened(opened)
        state.apply(event, at: Instant(microseconds: 1))
        #expect(!state.money.isVerification)
        #expect(state.money.amount == (amount == 64_900 ? 64_900 : nil))
        #expect(state.money.currency == (amount == 64_900 ? "SEK" : nil))
    }

    @Test func `the net amount of a payment follows from its list of transactions`() {
        let lists: [(done: [(String, Amount)], net: Amount)] = [
            ([], 10_000), ([("Capture", 4_000)], 10_000),
            ([("Capture", 4_000), ("Cancellation", 6_000)], 4_000),
            ([("Capture", 10_000), ("Reversal", 2_500)], 7_500),
            ([("Capture", 10_000), ("Reversal", 10_000)], 0),
        ]
        for list in lists {
            let order = order(done: list.done)
            #expect(TakenMoney(order, newest: order)?.net == list.net, "\(list.done)")
        }
    }

    private func order(done: [(String, Amount)]) -> OrderSnapshot {
        order(.paid, "Authorization", done)
    }

    @Test func `without a transaction list, the net amount follows from the remaining amounts`() {
        var order = order()
        order.transactions = nil
        (order.remainingCapture, order.remainingReversal) = (3_000, 4_500)
        let taken = TakenMoney(order, newest: order)
        #expect(taken?.net == 7_500)
        #expect(taken?.captured == nil)
    }

    @Test func `remaining amounts whose sum is out of bounds say nothing`() {
        let greatest = Amount(Money.greatest)
        var order = order(paid: greatest)
        order.amount = greatest
        order.transactions = nil
        (order.remainingCapture, order.remainingReversal) = (5, greatest)
        let taken = TakenMoney(order, newest: order)
        #expect(taken != nil && taken?.net == nil)
        #expect(taken?.captured == nil)
    }

    @Test func `a later response without a transaction list takes precedence over an earlier list`()
    {
        let known = order(done: [("Capture", 10_000)])
        var newest = OrderSnapshot.paid()
        newest.transactions = nil
        (newest.remainingCapture, newest.remainingReversal) = (0, 1_000)
        #expect(TakenMoney(known.updated(by: newest), newest: newest)?.net == 1_000)
    }

    @Test func `reversed and canceled orders have a net amount of zero`() {
        let reversed = order(.reversed, "Sale")
        #expect(TakenMoney(reversed, newest: reversed)?.net == 0)
        let canceled = order(.cancelled)
        #expect(TakenMoney(canceled, newest: canceled)?.net == 0)
        #expect(TakenMoney(.sample, newest: nil) == nil)
    }

    @Test func `the taxes of partial captures or reversals add up to the tax of the order`() {
        var order = OrderSnapshot.paid(amount: 9_999)
        order.amount = 9_999
        order.vatAmount = 2_000
        for kind in [TransactionKind.capture, .reversal] {
            var done: [FinancialTransaction] =
                kind == .reversal
                ? [FinancialTransaction(type: "Capture", amount: 9_999, vatAmount: 2_000)] : []
            var shares: [Amount] = []
            for _ in 0..<3 {
                order.transactions = done
                let share = order.taxShare(of: 3_333, for: kind)
                shares.append(share)
                done.append(
                    FinancialTransaction(
                        type: kind == .capture ? "Capture" : "Reversal",
                        amount: 3_333,
                        vatAmount: share
                    )
                )
            }
            #expect(shares == [666, 666, 668])
        }
    }

    /// As many transactions as a log line can hold, each of the greatest amount.
    @Test(arguments: [1, -1] as [Int64])
    func `sums of hostile transactions stay within the numbers of JSON`(sign: Int64) {
        var order = OrderSnapshot.paid(amount: 9_999)
        (order.amount, order.vatAmount) = (9_999, 2_000)
        let greatest = Amount(sign * CanonicalWriter.greatestInteger)
        order.transactions = ["Capture", "Reversal"].flatMap { type in
            Array(
                repeating: FinancialTransaction(type: type, amount: greatest, vatAmount: greatest),
                count: 2_000
            )
        }
        let captures = order.transactions?.sum(of: \.amount, type: "capture")
        #expect(captures == greatest)
        for kind in [TransactionKind.capture, .reversal] {
            _ = order.taxShare(of: Amount(.max), for: kind)
            _ = order.taxShare(of: Amount(.min), for: kind)
        }
        #expect(TakenMoney(order, newest: order)?.captured == greatest)
    }
}
