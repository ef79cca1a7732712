import Payments

/// The item for sale.
let lamp = PaymentOrder(
    currency: "SEK",
    amount: 12_500,
    vatAmount: 2_500,
    description: "Lamp",
    userAgent: "shop/1",
    urls: PaymentOrderURLs(
        hosts: ["https://shop.example/"],
        complete: "https://shop.example/complete",
        cancel: "https://shop.example/cancel",
        payment: "https://shop.example/pay?id=4711"
    ),
    payeeInfo: PayeeInfo(payeeID: "shop", payeeReference: "order4711", orderReference: "order-4711")
)
