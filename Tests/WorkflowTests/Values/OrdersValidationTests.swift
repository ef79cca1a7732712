import SwedbankPay
import TestSupport
import Testing

/// One change of a valid order, and the field that is then invalid.
struct OrderFault: Sendable, CustomTestStringConvertible {
    let path: String
    let change: @Sendable (inout PaymentOrder) -> Void
    let name: String
    var testDescription: String { "\(path): \(name)" }

    init(_ path: String, _ name: String, _ change: @escaping @Sendable (inout PaymentOrder) -> Void)
    {
        self.path = path
        self.change = change
        self.name = name
    }
}

@Suite(.feature("O-08")) struct OrdersValidationTests {
    private static func long(_ count: Int) -> String { String(repeating: "a", count: count) }

    private static let basics: [OrderFault] = [
        OrderFault("operation", "empty") { $0.purpose = PaymentOrderPurpose(rawValue: "") },
        OrderFault("productName", "empty") { $0.productName = "" },
        OrderFault("currency", "small letters") { $0.currency = "sek" },
        OrderFault("currency", "too long") { $0.currency = "SEKR" },
        OrderFault("description", "empty") { $0.description = "" },
        OrderFault("description", "too long") { $0.description = long(41) },
        OrderFault("description", "a zero byte") { $0.description = "a\u{0}" },
        OrderFault("userAgent", "missing") { $0.userAgent = nil },
        OrderFault("language", "no region") { $0.language = Language(rawValue: "sv") },
        OrderFault("instrument", "empty") { $0.instrument = PaymentMethodName(rawValue: "") },
        OrderFault("restrictedToInstruments", "empty list") { $0.restrictedToInstruments = [] },
        OrderFault("restrictedToInstruments[1]", "empty name") {
            $0.restrictedToInstruments = [.swish, PaymentMethodName(rawValue: "")]
        },
        OrderFault("enablePaymentDetailsConsentCheckbox", "without hiding") {
            $0.disablesStoredPaymentDetails = nil
        },
        OrderFault("enablePaymentDetailsConsentCheckbox", "with hiding refused") {
            $0.disablesStoredPaymentDetails = false
        },
        OrderFault("payer.payerReference", "a token of nobody") { $0.payer?.payerReference = nil },
        OrderFault("payer.payerReference", "a token without payer") { $0.payer = nil },
        OrderFault("paymentToken", "empty") { $0.paymentToken = "" },
    ]

    private static let urls: [OrderFault] = [
        OrderFault("urls.hostUrls", "none") { $0.urls.hosts = [] },
        OrderFault("urls.hostUrls[1]", "no URL") { $0.urls.hosts.append("shop.example") },
        OrderFault("urls.completeUrl", "empty") { $0.urls.complete = "" },
        OrderFault("urls.completeUrl", "http") { $0.urls.complete = "http://shop.example/c" },
        OrderFault("urls.completeUrl", "an app's scheme") { $0.urls.complete = "shopapp://c" },
        OrderFault("urls.completeUrl", "loopback") { $0.urls.complete = "http://127.0.0.1/c" },
        OrderFault("urls.completeUrl", "a blank") { $0.urls.complete = "https://shop.example/ c" },
        OrderFault("urls.completeUrl", "a user") { $0.urls.complete = "https://u@shop.example/c" },
        OrderFault("urls.completeUrl", "too long") {
            $0.urls.complete = "https://shop.example/" + long(2_048)
        },
        OrderFault("urls.cancelUrl", "the complete URL") {
            $0.urls.cancel = "HTTPS://shop.example:443/complete/"
        },
        OrderFault("urls.paymentUrl", "the complete URL") {
            $0.urls.payment = "https://shop.example/complete"
        },
        OrderFault("urls.paymentUrl", "the cancel URL") {
            $0.urls.payment = "https://shop.example/cancel"
        },
        OrderFault("urls.paymentUrl", "a script") { $0.urls.payment = "javascript:alert(1)" },
        OrderFault("urls.paymentUrl", "Swish's item") {
            $0.urls.payment = "https://shop.example/pay?Swp_Ut=1"
        },
        OrderFault("urls.callbackUrl", "http") { $0.urls.callback = "http://shop.example/cb" },
        OrderFault("urls.logoUrl", "data") { $0.urls.logo = "data:image/png;base64,AA" },
        OrderFault("urls.termsOfServiceUrl", "http") {
            $0.urls.termsOfService = "http://a.example"
        },
    ]

    private static let payee: [OrderFault] = [
        OrderFault("payeeInfo", "missing") { $0.payeeInfo = nil },
        OrderFault("payeeInfo.payeeId", "empty") { $0.payeeInfo?.payeeID = "" },
        OrderFault("payeeInfo.payeeReference", "missing") { $0.payeeInfo?.payeeReference = nil },
        OrderFault("payeeInfo.payeeReference", "too long") {
            $0.payeeInfo?.payeeReference = long(31)
        },
        OrderFault("payeeInfo.payeeReference", "a blank") { $0.payeeInfo?.payeeReference = "a b" },
        OrderFault("payeeInfo.payeeReference", "a letter of Swedish") {
            $0.payeeInfo?.payeeReference = "å1"
        },
        OrderFault("payeeInfo.productCategory", "too long") {
            $0.payeeInfo?.productCategory = long(51)
        },
        OrderFault("payeeInfo.orderReference", "too long") {
            $0.payeeInfo?.orderReference = long(51)
        },
        OrderFault("payeeInfo.subsite", "a hyphen") { $0.payeeInfo?.subsite = "a-b" },
        OrderFault("payeeInfo.subsite", "too long") { $0.payeeInfo?.subsite = long(41) },
    ]

    private static let payer: [OrderFault] = [
        OrderFault("payer.email", "no address") { $0.payer?.email = "olivia" },
        OrderFault("payer.msisdn", "national") { $0.payer?.msisdn = "0739000001" },
        OrderFault("payer.payerReference", "an address") { $0.payer?.payerReference = "a@b.se" },
        OrderFault("payer.payerReference", "a number") {
            $0.payer?.payerReference = "+46739000001"
        },
        OrderFault("payer.nationalIdentifier.countryCode", "a name") {
            $0.payer?.nationalIdentifier?.countryCode = "Sweden"
        },
        OrderFault("payer.nationalIdentifier.socialSecurityNumber", "empty") {
            $0.payer?.nationalIdentifier?.socialSecurityNumber = ""
        },
        OrderFault("payer.shippingAddressRestrictedToCountryCodes[1]", "small") {
            $0.payer?.shippingAddressRestrictedToCountryCodes = ["SE", "no"]
        },
        OrderFault("payer.shippingAddress.countryCode", "three letters") {
            $0.payer?.shippingAddress?.countryCode = "NOR"
        },
        OrderFault("payer.billingAddress.city", "too long") {
            $0.payer?.billingAddress = PayerAddress(city: long(1_001))
        },
        OrderFault("riskIndicator.preOrderDate", "no leap year") {
            $0.riskIndicator?.preOrderDay = "20270229"
        },
        OrderFault("riskIndicator.preOrderDate", "hyphens") {
            $0.riskIndicator?.preOrderDay = "2027-02-2"
        },
        OrderFault("riskIndicator.pickUpAddress", "shipped elsewhere") {
            $0.riskIndicator?.shipment = .digital
        },
        OrderFault("riskIndicator.pickUpAddress.streetAddress", "too long") {
            $0.riskIndicator?.pickUpAddress?.streetAddress = long(51)
        },
        OrderFault("riskIndicator.deliveryEmailAddress", "two signs") {
            $0.riskIndicator?.deliveryEmailAddress = "a@b@c"
        },
    ]

    private static let items: [OrderFault] = [
        OrderFault("orderItems", "none") { $0.orderItems = [] },
        OrderFault("orderItems[0].reference", "empty") { $0.orderItems?[0].reference = "" },
        OrderFault("orderItems[1].name", "empty") { $0.orderItems?[1].name = "" },
        OrderFault("orderItems[0].class", "a blank") { $0.orderItems?[0].category = "a b" },
        OrderFault("orderItems[0].itemUrl", "http") { $0.orderItems?[0].itemURL = "http://a.se" },
        OrderFault("orderItems[0].quantity", "zero") { $0.orderItems?[0].quantity = 0 },
        OrderFault("orderItems[0].quantityUnit", "empty") { $0.orderItems?[0].quantityUnit = "" },
        OrderFault("orderItems[0].vatPercent", "over 100 %") {
            $0.orderItems?[0].vatPercent = 10_001
        },
        OrderFault("orderItems[0].vatAmount", "of the other sign") {
            $0.orderItems?[0].vatAmount = -2_500
            $0.orderItems?[1].vatAmount = 4_500
        },
        OrderFault("amount", "other than the sum") { $0.amount = 12_500 },
        OrderFault("vatAmount", "other than the sum") { $0.vatAmount = 2_500 },
        OrderFault("orderItems[0].amount", "beyond all numbers") {
            $0.orderItems?[0].amount = Amount(.max)
        },
        OrderFault("orderItems[0].restrictedToInstruments[0]", "empty") {
            $0.orderItems?[0].restrictedToInstruments = [PaymentMethodName(rawValue: "")]
        },
    ]

    private static let amounts: [OrderFault] = [
        OrderFault("amount", "missing") { ($0.amount, $0.orderItems) = (nil, nil) },
        OrderFault("vatAmount", "missing") { ($0.vatAmount, $0.orderItems) = (nil, nil) },
        OrderFault("amount", "zero") { ($0.amount, $0.vatAmount, $0.orderItems) = (0, 0, nil) },
        OrderFault("amount", "negative") { ($0.amount, $0.orderItems) = (-1, nil) },
        OrderFault("vatAmount", "negative") { ($0.vatAmount, $0.orderItems) = (-1, nil) },
        OrderFault("vatAmount", "over the amount") {
            ($0.vatAmount, $0.orderItems) = (10_001, nil)
        },
    ]

    @Test(arguments: basics + urls + payee + payer + items + amounts)
    func `an order that the PSP would refuse fails validation with the name of the field`(
        fault: OrderFault
    ) {
        var order = OrderSamples.full
        fault.change(&order)
        let problems = order.problems()
        #expect(problems.contains { $0.path == fault.path }, "\(problems)")
        #expect(throws: PaymentOrderError.invalid(problems)) { try order.validate() }
    }

    @Test(.feature("I-07")) func `an order with every field and one with few fields are valid`() {
        #expect(OrderSamples.full.problems() == [])
        #expect(OrderSamples.plain.problems() == [])
    }

    @Test(.feature("O-21"))
    func `a verification order must have a zero or missing amount, and no menu switches`() {
        var order = OrderSamples.plain
        order.purpose = .verify
        #expect(order.problems().map(\.path) == ["amount", "vatAmount"])
        for nothing: Amount? in [nil, 0] {
            (order.amount, order.vatAmount) = (nothing, nothing)
            #expect(order.problems() == [])
        }
        order.disablesStoredPaymentDetails = true
        order.enablesPaymentDetailsConsentCheckbox = false
        #expect(
            order.problems().map(\.path)
                == ["disableStoredPaymentDetails", "enablePaymentDetailsConsentCheckbox"]
        )
    }

    @Test func `what a merchant backend fills in may be missing`() {
        var order = OrderSamples.plain
        order.userAgent = nil
        order.payeeInfo = PayeeInfo()
        let rules = OrderRules(supplied: [.payee, .userAgent])
        #expect(order.problems(under: rules) == [])
        #expect(order.problems().map(\.path).count == 3)
        order.payeeInfo = nil
        #expect(order.problems(under: rules) == [])
        order.payeeInfo = PayeeInfo(payeeReference: "not fit")
        #expect(order.problems(under: rules).map(\.path) == ["payeeInfo.payeeReference"])
    }

    @Test func `a payment URL may have an app scheme, and a host URL may be loopback if allowed`() {
        var order = OrderSamples.plain
        order.urls.payment = "examplepayment://payment/"
        #expect(order.problems() == [])
        order.urls.hosts = ["http://127.0.0.1:8080"]
        #expect(order.problems().map(\.path) == ["urls.hostUrls[0]"])
        #expect(order.problems(under: OrderRules(allowsInsecureLoopback: true)) == [])
    }

    @Test
    func `no more problems are reported than the limit, and items beyond theirs are not checked`() {
        var order = OrderSamples.plain
        var item = OrderSamples.lamp
        item.reference = ""
        order.orderItems = Array(repeating: item, count: 1_001)
        #expect(order.problems().count == 100)
        #expect(order.problems().first?.path == "orderItems")
        var rules = OrderRules()
        rules.limits.problems = 3
        #expect(order.problems(under: rules).count == 3)
        // Of items beyond their limit only the number is reported.
        var few = OrderRules()
        few.limits.orderItems = 2
        order.orderItems = [OrderSamples.lamp, OrderSamples.lamp, item]
        #expect(order.problems(under: few).map(\.path) == ["orderItems"])
        order.orderItems = [OrderSamples.lamp, item, OrderSamples.lamp]
        let paths = order.problems(under: few).map(\.path)
        #expect(paths == ["orderItems", "orderItems[1].reference"])
    }

    @Test func `a problem never quotes personal data`() throws {
        var order = OrderSamples.full
        order.payer?.email = "olivia"
        order.payer?.msisdn = "0739000001"
        order.paymentToken = "s3cret\u{1}"
        order.urls.payment = "http://shop.example/pay?id=7f0c"
        let error = try #require(throws: PaymentOrderError.self) { try order.validate() }
        #expect(error.code == "order.invalid")
        #expect(error.problems.count == 4)
        for text in ["olivia", "0739000001", "s3cret", "7f0c"] {
            #expect(!"\(error)".contains(text))
        }
        for shown in ["\(order)", "\(order.urls)", "\(order.payer as Any)", dumped(order)] {
            #expect(!shown.contains("olivia") && !shown.contains("199710202392"), "\(shown)")
        }
    }

    private func dumped(_ order: PaymentOrder) -> String {
        var text = ""
        dump(order, to: &text)
        return text
    }
}
