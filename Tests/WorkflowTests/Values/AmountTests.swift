import SwedbankPay
import Testing

@Suite struct AmountTests {
    @Test func `sums and differences within the bounds are exact`() {
        var amount: Amount = 64_900
        amount += 100
        #expect(amount == 65_000)
        amount -= 70_000
        #expect(amount == -5_000 && -amount == 5_000)
        #expect(amount < .zero && "\(amount)" == "-5000")
    }

    @Test func `greater sums and differences stay at the bounds`() {
        let (greatest, least) = (Amount(Money.greatest), Amount(-Money.greatest))
        #expect(greatest + 1 == greatest && greatest - -1 == greatest)
        #expect(least + -1 == least && least - 1 == least)
        #expect(Amount(.max) + 1 == greatest && Amount(.min) - 1 == least)
        #expect(Amount(.min) + -1 == least && Amount(.max) - -1 == greatest)
        #expect(-Amount(.min) == greatest && -greatest == least)
        #expect(greatest + least == 0 && least - greatest == least)
    }

    @Test func `an exact sum is absent beyond the bounds`() {
        let (greatest, least) = (Amount(Money.greatest), Amount(-Money.greatest))
        #expect(greatest.adding(exactly: -1) == Amount(Money.greatest - 1))
        #expect(greatest.adding(exactly: 0) == greatest && greatest.adding(exactly: 1) == nil)
        #expect(least.adding(exactly: 0) == least && least.adding(exactly: -1) == nil)
        #expect(Amount(.max).adding(exactly: 1) == nil)
        #expect(Amount(.min).adding(exactly: -1) == nil)
    }
}
