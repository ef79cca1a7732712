import SwedbankPay

/// Sample orders.
enum OrderSamples {
    static let urls = PaymentOrderURLs(
        hosts: ["https://shop.example/"],
        complete: "https://shop.example/complete",
        cancel: "https://shop.example/cancel",
        payment: "https://shop.example/pay?id=7f0c",
        callback: "https://api.shop.example/callback",
        termsOfService: "https://shop.example/terms"
    )

    static let lamp = OrderItem(
        reference: "SKU-7",
        name: "Lamp",
        category: "Lighting",
        unitPrice: 12_500,
        vatPercent: 2_500,
        amount: 12_500,
        vatAmount: 2_500
    )

    static let discount = OrderItem(
        reference: "D-1",
        name: "Summer",
        kind: .discount,
        category: "Discount",
        unitPrice: -2_500,
        vatPercent: 2_500,
        amount: -2_500,
        vatAmount: -500
    )

    /// Everything that an order may contain and the PSP accepts.
    static let full = PaymentOrder(
        productName: PaymentOrder.checkout3,
        currency: "SEK",
        amount: 10_000,
        vatAmount: 2_000,
        description: "Order 1001",
        userAgent: "Shop/1.0",
        language: .svSE,
        instrument: .creditCard,
        generatesPaymentToken: true,
        disablesStoredPaymentDetails: true,
        enablesPaymentDetailsConsentCheckbox: true,
        restrictedToInstruments: [.creditCard, .swish],
        urls: urls,
        payeeInfo: PayeeInfo(
            payeeID: "5cabf558-5283-482f-b252-4d58e06f6f3b",
            payeeReference: "100000000017",
            payeeName: "Shop",
            productCategory: "Home",
            orderReference: "1001",
            subsite: "North1"
        ),
        payer: Payer(
            email: "olivia@shop.example",
            msisdn: "+46739000001",
            payerReference: "d1f2",
            nationalIdentifier: NationalIdentifier(
                socialSecurityNumber: "199710202392",
                countryCode: "SE"
            ),
            shippingAddressRestrictedToCountryCodes: ["SE", "NO"],
            shippingAddress: PayerAddress(
                firstName: "Olivia",
                streetAddress: "Saltnestoppen 43",
                coAddress: "",
                city: "Saltnes",
                zipCode: "1642",
                countryCode: "NO"
            ),
            accountInfo: AccountInfo(accountAge: .overSixtyDays)
        ),
        orderItems: [lamp, discount],
        riskIndicator: RiskIndicator(
            deliveryEmailAddress: "olivia@shop.example",
            deliveryTimeFrame: .twoDaysOrMore,
            preOrderDay: "20280229",
            shipment: .pickUp,
            pickUpAddress: PickUpAddress(streetAddress: "Main street 1", countryCode: "SE")
        ),
        paymentToken: "token",
        metadata: ["cart": 7]
    )

    /// Only what an order must contain.
    static let plain = PaymentOrder(
        currency: "SEK",
        amount: 10_000,
        vatAmount: 2_000,
        description: "Order 1001",
        userAgent: "Shop/1.0",
        urls: PaymentOrderURLs(
            hosts: ["https://shop.example"],
            complete: "https://shop.example/complete"
        ),
        payeeInfo: PayeeInfo(payeeID: "shop", payeeReference: "1001")
    )
}
