import Payments

/// The order of the first payment, which produces a token.
let firstMonth = PaymentOrder(
    currency: "SEK",
    amount: 4_900,
    vatAmount: 980,
    description: "Subscription, month 1",
    userAgent: "shop/1",
    generatesUnscheduledToken: true,
    urls: PaymentOrderURLs(
        hosts: ["https://shop.example/"],
        complete: "https://shop.example/complete",
        cancel: "https://shop.example/cancel"
    ),
    payeeInfo: PayeeInfo(
        payeeID: "shop",
        payeeReference: "sub7m1",
        orderReference: "subscription-7-1"
    )
)

/// Returns the charge of a later month; its reference is never used twice, so no month is charged
/// twice.
func laterMonth(_ month: Int, with token: String) -> PaymentOrder {
    PaymentOrder(
        purpose: .unscheduledPurchase,
        currency: "SEK",
        amount: 4_900,
        vatAmount: 980,
        description: "Subscription, month \(month)",
        userAgent: "shop/1",
        generatesRecurrenceToken: nil,
        urls: PaymentOrderURLs(),
        payeeInfo: PayeeInfo(
            payeeID: "shop",
            payeeReference: "sub7m\(month)",
            orderReference: "subscription-7-\(month)"
        ),
        unscheduledToken: token
    )
}
