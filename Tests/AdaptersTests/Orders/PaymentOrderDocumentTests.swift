import Adapters
import SwedbankPay
import TestSupport
import Testing

@Suite struct PaymentOrderDocumentTests {
    static let full = """
        {"operation":"Purchase","productName":"Checkout3","currency":"SEK","amount":10000,
         "vatAmount":2000,"description":"Order 1001","userAgent":"Shop/1.0","language":"sv-SE",
         "instrument":"CreditCard","generateRecurrenceToken":false,"generateUnscheduledToken":true,
         "generatePaymentToken":true,"disableStoredPaymentDetails":true,
         "enablePaymentDetailsConsentCheckbox":true,
         "restrictedToInstruments":["CreditCard","Swish"],"expandFirstInstrument":true,
         "disablePaymentMenu":false,"implementation":"Starter",
         "urls":{"hostUrls":["https://shop.example/"],"completeUrl":"https://shop.example/complete",
          "cancelUrl":"https://shop.example/cancel","paymentUrl":"https://shop.example/pay?id=1",
          "callbackUrl":"https://shop.example/cb","logoUrl":"https://shop.example/logo.png",
          "termsOfServiceUrl":"https://shop.example/terms","other":[1,2.5,null]},
         "payeeInfo":{"payeeId":"shop","payeeReference":"1001","payeeName":"Shop",
          "productCategory":"Home","orderReference":"or-1001","subsite":"North","siteId":"1","x":{}},
         "payer":{"consumerProfileRef":"profile","email":"a@b.example","msisdn":"+46739000001",
          "payerReference":"d1f2","nationalIdentifier":{"socialSecurityNumber":"199710202392",
          "countryCode":"SE","x":1},"requireConsumerInfo":true,"digitalProducts":false,
          "shippingAddressRestrictedToCountryCodes":["SE"],"firstName":"A","lastName":"B",
          "workPhoneNumber":"1","homePhoneNumber":"2",
          "shippingAddress":{"firstName":"A","lastName":"B","email":"a@b.example",
          "msisdn":"+46739000001","streetAddress":"S 1","coAddress":"","city":"C","zipCode":"1",
          "countryCode":"SE","addressee":"A B"},"billingAddress":{"city":"C"},
          "accountInfo":{"accountAgeIndicator":"05","accountChangeIndicator":"04",
          "accountChangePwdIndicator":"01","shippingAddressUsageIndicator":"01",
          "shippingNameIndicator":"02","suspiciousAccountActivity":"01","x":"y"}},
         "orderItems":[{"reference":"1","name":"Lamp","type":"PRODUCT","class":"Light",
          "itemUrl":"https://shop.example/1","imageUrl":"https://shop.example/1.png",
          "description":"d","discountDescription":"dd","quantity":1.25,"quantityUnit":"m",
          "unitPrice":8000,"discountPrice":0,"vatPercent":2500,"amount":10000,"vatAmount":2000,
          "restrictedToInstruments":["CreditCard"],"x":true}],
         "riskIndicator":{"deliveryEmailAddress":"a@b.example","deliveryTimeFrameIndicator":"01",
          "preOrderDate":"20280229","preOrderPurchaseIndicator":"02","shipIndicator":"04",
          "giftCardPurchase":true,"reOrderPurchaseIndicator":"01","pickUpAddress":{"name":"N",
          "streetAddress":"S","coAddress":"c","city":"C","zipCode":"1","countryCode":"SE","x":0},
          "x":null},
         "paymentToken":"token","metadata":{"cart":{"id":"7","lines":[1,-2,0.5,true,null]}}}
        """

    /// Returns the same JSON in canonical form, made by a general parser.
    private static func canonical(_ text: String) throws -> String {
        let value = try JSONValueTree(text)
        return value.text
    }

    @Test(.feature("O-01"))
    func `an order with every known field can be created, and is sent unchanged`() throws {
        let order = try PaymentOrderDocument.read(Self.full)
        // Only a payer who has not checked in has a reference of the merchant.
        #expect(order.problems().map(\.path) == ["payer.payerReference"])
        var guest = order
        guest.payer?.consumerProfileRef = nil
        #expect(guest.problems() == [])
        #expect(PaymentOrderDocument.text(of: order) == (try Self.canonical(Self.full)))
        let again = try PaymentOrderDocument.read(PaymentOrderDocument.text(of: order))
        #expect(again == order)
        #expect(order.orderItems?.first?.quantity == Quantity("1.25"))
        #expect(order.payer?.accountInfo?.passwordChange == .never)
        #expect(order.others == ["implementation": "Starter"])
        #expect(order.metadata?["cart"] != nil)
    }

    @Test(arguments: ["paymentorder", "paymentOrder", nil])
    func `an order is read with and without its wrapper`(wrapper: String?) throws {
        let text = wrapper.map { "{\"\($0)\":\(Self.full)}" } ?? Self.full
        let order = try PaymentOrderDocument.read(text)
        #expect(order == (try PaymentOrderDocument.read(Self.full)))
        #expect(
            PaymentOrderDocument.body(of: order)
                == "{\"paymentorder\":\(PaymentOrderDocument.text(of: order))}"
        )
    }

    @Test func `response-only members are not sent, and a misspelled member is understood`() throws
    {
        let text = """
            {"operation":"Purchase","currency":"SEK","amount":1,"vatAmount":0,"description":"d",
             "language":"sv-SE","initiatingSystemUserAgent":"x","payer":null,
             "urls":{"hostUrls":["https://a.example"],"completeUrl":"https://a.example/c"},
             "riskIndicator":{"deliveryEmailAdress":"a@b.example"}}
            """
        var order = try PaymentOrderDocument.read(text)
        #expect(order.riskIndicator?.deliveryEmailAddress == "a@b.example")
        order.others["initiatingSystemUserAgent"] = "y"
        let written = PaymentOrderDocument.text(of: order)
        #expect(!written.contains("initiatingSystemUserAgent"))
        #expect(written.contains("\"deliveryEmailAddress\":\"a@b.example\""))
        #expect(!written.contains("payer"))
        #expect(!written.contains("Adress\""))
    }

    @Test func `every missing or mistyped field is named at once`() throws {
        let text = """
            {"operation":1,"amount":100.00,"vatAmount":"20","language":"sv-SE",
             "urls":{"hostUrls":"https://a.example"},"payer":[],"payeeInfo":{"payeeId":7},
             "generatePaymentToken":"true","metadata":7,
             "orderItems":[{"reference":"1","type":"BOOK","quantity":1.00001,"vatPercent":"25"},3],
             "riskIndicator":{"shipIndicator":"08"},"big":12345678901234567890}
            """
        let error = try #require(throws: PaymentOrderError.self) {
            try PaymentOrderDocument.read(text)
        }
        #expect(
            error.problems.map(\.path) == [
                "operation", "currency", "amount", "vatAmount", "description",
                "generatePaymentToken", "urls.hostUrls", "urls.completeUrl", "payeeInfo.payeeId",
                "payer", "orderItems[0].name", "orderItems[0].type", "orderItems[0].class",
                "orderItems[0].quantity", "orderItems[0].quantityUnit", "orderItems[0].unitPrice",
                "orderItems[0].vatPercent", "orderItems[0].amount", "orderItems[0].vatAmount",
                "orderItems[1]", "riskIndicator.shipIndicator", "metadata", "big",
            ]
        )
        #expect(!"\(error)".contains("BOOK"))
    }

    @Test(
        arguments: [
            "", "{", "[]", "7", "{\"paymentorder\":7}", "{\"paymentorder\":null}", "{}}", "{'a':1}",
        ])
    func `a document that is not an order is refused with one clear error`(text: String) throws {
        let error = try #require(throws: PaymentOrderError.self) {
            try PaymentOrderDocument.read(text)
        }
        #expect(error.code == "order.unreadable")
        #expect("\(error)".hasPrefix("the payment order cannot be read: "))
    }

    @Test func `an order that is too large or too deep is refused`() {
        var limits = PaymentOrderDocument.Limits()
        limits.bytes = 10
        #expect(throws: PaymentOrderError.unreadable(reason: "it has more than 10 bytes")) {
            try PaymentOrderDocument.read("{\"amount\":1}", limits: limits)
        }
        let deep = "{\"metadata\":" + String(repeating: "[", count: 100_000)
        #expect(
            throws: PaymentOrderError.unreadable(reason: "it is nested more than 32 levels deep")
        ) { try PaymentOrderDocument.read(deep) }
    }

    @Test func `the order items of a capture can be read on their own`() throws {
        let order = try PaymentOrderDocument.read(Self.full)
        let items = try #require(order.orderItems)
        let text = PaymentOrderDocument.text(of: items)
        #expect(try PaymentOrderDocument.readItems(Array(text.utf8)) == items)
        let wrapped = "{\"orderItems\":\(text)}"
        #expect(try PaymentOrderDocument.readItems(Array(wrapped.utf8)) == items)
        for bad in ["7", "{}", "[7]"] {
            #expect(throws: PaymentOrderError.self) {
                try PaymentOrderDocument.readItems(Array(bad.utf8))
            }
        }
    }

    @Test func `a check-in is read and written`() throws {
        let text = """
            {"language":"sv-SE","operation":"initiate-consumer-session",\
            "shippingAddressRestrictedToCountryCodes":["SE"],"x":1}
            """
        let consumer = try PaymentOrderDocument.readConsumer(Array(text.utf8))
        #expect(consumer.language == .svSE)
        #expect(PaymentOrderDocument.text(of: consumer) == text)
        let error = try #require(throws: PaymentOrderError.self) {
            try PaymentOrderDocument.readConsumer(Array("{\"operation\":\"pay\"}".utf8))
        }
        #expect(error.problems.map(\.path) == ["operation", "language"])
    }

    @Test(arguments: ["1", "1.5", "0.0001", "123456789.1234", "999999999", "0.1", "3.3333"])
    func `a quantity is sent with the decimals that it came with`(quantity: String) throws {
        let text = """
            [{"amount":1,"class":"c","name":"n","quantity":\(quantity),"quantityUnit":"u",\
            "reference":"r","type":"OTHER","unitPrice":1,"vatAmount":0,"vatPercent":0}]
            """
        let items = try PaymentOrderDocument.readItems(Array(text.utf8))
        #expect(PaymentOrderDocument.text(of: items) == text)
    }
}
