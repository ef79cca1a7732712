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

    @Test func `of a payment only the part in doubt is unknown, and the rest is confirmed`() {
        var doubtful = row(1, net: 12_500)
        doubtful.facts?.money = "unknown"
        doubtful.facts?.doubted = 5_000
        var totals = MoneyTotals()
        totals.add(doubtful)
        totals.add(row(2, net: 100))
        let sums = totals.totals.map { "\($0.group.standing) \($0.total.amount ?? -1)" }
        #expect(sums == ["unknown 5000", "confirmed 7600"])
        #expect(totals.unknown.map(\.amount) == [5_000])
    }

    private func paid(
        _ number: UInt64,
        order: String?,
        host: String = "psp.example",
        marks: Int64 = 8 + 32
    ) -> SessionSummary {
        var row = row(number, net: 100)
        row.facts?.orderReference = order
        row.facts?.host = host
        row.facts?.marks = marks
        return row
    }

    private func duplicates(_ rows: SessionSummary...) -> [[SessionID]] {
        var totals = MoneyTotals()
        for row in rows { totals.add(row) }
        return totals.duplicates.map { $0.payments.map(\.session) }
    }

    @Test func `two paid sessions of one order are possible duplicates`() {
        let (one, two) = (paid(1, order: "order-1"), paid(2, order: "order-1"))
        #expect(duplicates(two, one, paid(3, order: "order-3")) == [[one.session, two.session]])
    }

    @Test func `unpaid sessions, other hosts, and orders without a number are no duplicates`() {
        let first = paid(1, order: "order-1")
        #expect(duplicates(first, paid(2, order: "order-1", marks: 8)).isEmpty)
        #expect(duplicates(first, paid(2, order: "order-1", host: "other.example")).isEmpty)
        #expect(duplicates(paid(1, order: nil), paid(2, order: nil)).isEmpty)
    }

    @Test func `a checkout and the native session that pays it are one payment`() {
        let checkout = paid(1, order: "order-1")
        var native = paid(2, order: "order-1", marks: 32)
        native.facts?.countsWith = checkout.session
        #expect(duplicates(checkout, native).isEmpty)
    }
}
