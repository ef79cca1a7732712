import EventLog
import Inspection
import SwedbankPay
import Testing

/// The totals of all payments.
@Suite struct MoneyTotalsTests {
    private func row(_ number: UInt64, net: Int64) -> SessionSummary {
        SessionSummary(
            session: SessionID(at: Instant(microseconds: 1), random: (number, number)),
            phase: "ended",
            isSettled: true,
            lastSequence: 1,
            openedAt: Instant(microseconds: 1),
            lastAt: Instant(microseconds: 1),
            facts: SessionFacts(
                money: "confirmed",
                moneySince: Instant(microseconds: 1),
                amount: net,
                net: net,
                currency: "SEK",
                host: "psp.example"
            )
        )
    }

    private func amounts(_ totals: MoneyTotals) -> [Amount?] {
        totals.totals.map { $0.total.amount }
    }

    @Test func `a total that JSON cannot represent exactly is not known`() {
        var totals = MoneyTotals()
        totals.add(row(1, net: Money.greatest - 1))
        totals.add(row(2, net: 1))
        #expect(amounts(totals) == [Amount(Money.greatest)])
        totals.add(row(3, net: 1))
        #expect(amounts(totals) == [nil])
    }
}
