import SwedbankPay
import TestSupport
import Testing

@Suite struct OrdersModelTests {
    @Test(.feature("O-07")) func `the items of an order add up to its amount and VAT`() throws {
        var order = OrderSamples.full
        (order.amount, order.vatAmount) = (nil, nil)
        let totaled = try order.totaled()
        #expect(totaled.amount == 10_000)
        #expect(totaled.vatAmount == 2_000)
        #expect(totaled.problems() == [])
        #expect([OrderSamples.lamp].problems(amount: 12_500, vatAmount: 2_500) == [])
        #expect(
            [OrderSamples.lamp].problems(amount: 1, vatAmount: 2).map(\.path)
                == ["amount", "vatAmount"]
        )
    }

    @Test func `items that add up to more than a number holds are refused`() {
        var item = OrderSamples.lamp
        item.amount = Amount(Money.greatest)
        #expect(OrderTotals(of: [item, item]) == nil)
        #expect(OrderTotals(of: [item])?.amount == item.amount)
        var order = OrderSamples.plain
        order.orderItems = [item, item]
        #expect(throws: PaymentOrderError.self) { try order.totaled() }
        order.orderItems = nil
        #expect(throws: PaymentOrderError.self) { try order.totaled() }
    }

    @Test func `a check-in adds the profile and keeps the payer data of the order`() {
        let order = OrderSamples.full.identified(by: "profile")
        #expect(order.payer?.consumerProfileRef == "profile")
        #expect(order.payer?.payerReference == "d1f2")
        #expect(OrderSamples.plain.identified(by: "p").payer == Payer(consumerProfileRef: "p"))
    }

    @Test(
        arguments: [
            ("1", 10_000), ("0", 0), ("1.5", 15_000), ("0.0001", 1), ("2.50000", 25_000),
            ("-3.25", -32_500), ("999999999999.9999", 9_999_999_999_999_999),
        ] as [(String, Int64)]
    )
    func `a quantity has up to four decimals, exactly`(text: String, tenThousandths: Int64) throws {
        let quantity = try #require(Quantity(text))
        #expect(quantity.tenThousandths == tenThousandths)
        #expect(Quantity("\(quantity)") == quantity)
    }

    @Test(
        arguments: [
            "", "-", ".5", "5.", "1.00001", "1e3", "1.2.3", "+1", " 1", "1,5", "0x1",
            "1000000000000", "--1", "1.-5", "１",
        ])
    func `text other than a plain number with up to four decimals is not a quantity`(text: String) {
        #expect(Quantity(text) == nil)
    }

    @Test func `a pre-order day must exist in the calendar`() {
        for day in ["20280229", "20000229", "20271231", "20270430"] {
            var order = OrderSamples.full
            order.riskIndicator?.preOrderDay = day
            #expect(order.problems() == [], "\(day)")
        }
        for day in ["21000229", "20271301", "20270431", "20270100", "20270001", "2027010a", ""] {
            var order = OrderSamples.full
            order.riskIndicator?.preOrderDay = day
            #expect(order.problems().count == 1, "\(day)")
        }
    }

    @Test(.feature("O-10"))
    func `unknown methods, purposes and languages are accepted as they are`() {
        var order = OrderSamples.plain
        order.instrument = PaymentMethodName(rawValue: "Klarna-Later")
        order.purpose = PaymentOrderPurpose(rawValue: "Gift")
        order.language = Language(rawValue: "is-IS")
        #expect(order.problems() == [])
        #expect(Language.documented.count == 13)
        #expect(Language.documented.allSatisfy { $0.isWellFormed })
        #expect(Set(PaymentMethodName.documented).count == 15)
    }

    @Test(.feature("I-06")) func `a check-in with a malformed language or country is refused`() {
        #expect(Consumer(shippingAddressRestrictedToCountryCodes: ["SE"]).problems() == [])
        let odd = Consumer(
            language: Language(rawValue: "x"),
            shippingAddressRestrictedToCountryCodes: ["SE", "Norway"]
        )
        #expect(
            odd.problems().map(\.path)
                == ["language", "shippingAddressRestrictedToCountryCodes[1]"]
        )
    }

    @Test func `a callback scheme must be well-formed and an app's own`() {
        #expect(CallbackScheme("ShopApp")?.name == "shopapp")
        #expect(CallbackScheme("se.shop+app-1")?.name == "se.shop+app-1")
        for text in [
            "", "1app", "https", "HTTP", "javascript", "JavaScript", "intent", "data", "file",
            "mailto", "tel", "shop app", "shop:app", "shop/app", "shöp", "shop\n",
            String(repeating: "a", count: 65),
        ] {
            #expect(CallbackScheme(text) == nil, "\(text)")
        }
    }
}
