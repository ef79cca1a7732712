internal import EventLog
public import SwedbankPay

extension CheckoutOpened {
    /// A checkout of a sample order of 100.00 kronor.
    public static func sample(
        _ gateway: OrderGateway = .psp,
        instrument: PaymentMethodName? = nil,
        consumer: ConsumerTerms? = nil,
        presents: Bool = true
    ) -> CheckoutOpened {
        CheckoutOpened(
            gateway: gateway,
            root: .sample("root"),
            host: "api.psp.example",
            document: .sample("order"),
            terms: OrderTerms(
                currency: "SEK",
                amount: 10_000,
                language: "sv-SE",
                instrument: instrument,
                urls: OrderURLs(
                    complete: "https://shop.example/complete",
                    cancel: "https://shop.example/cancel",
                    payment: "https://shop.example/pay",
                    hosts: ["https://shop.example/"]
                )
            ),
            payeeReference: gateway == .psp ? "REF1" : nil,
            consumer: consumer,
            presents: presents,
            userAgent: "payment-workflow/1"
        )
    }
}

extension OrderSnapshot {
    /// A new order of 100.00 kronor with all operations.
    public static let sample = OrderSnapshot(
        id: "/psp/paymentorders/1",
        status: .initialized,
        purpose: "Purchase",
        currency: "SEK",
        amount: 10_000,
        operations: [.sample(.viewCheckout), .sample(.abortOrder), .sample(.viewPaymentSession)]
    )

    /// The sample order locked to a method.
    public static func locked(to instrument: PaymentMethodName) -> OrderSnapshot {
        var order = OrderSnapshot.sample
        order.instrument = instrument
        order.isInstrumentMode = true
        order.availableInstruments = [.creditCard, .swish]
        order.operations.append(.sample(.setInstrument))
        return order
    }

    /// The sample order paid by card.
    public static func paid(amount: Amount = 10_000) -> OrderSnapshot {
        var order = OrderSnapshot.sample
        order.status = .paid
        order.remainingCapture = amount
        order.operations = [.sample(.capture), .sample(.cancelOrder)]
        order.paid = PaidDetails(
            instrument: .creditCard,
            number: 4711,
            payeeReference: "REF1",
            transactionType: "Authorization",
            amount: amount
        )
        order.transactions = [FinancialTransaction(type: "Authorization", payeeReference: "REF1")]
        return order
    }

    /// The order with another status.
    public func with(_ status: OrderStatus) -> OrderSnapshot {
        var order = self
        order.status = status
        return order
    }

    /// The order with an additional transaction of that reference.
    public func with(_ type: String, _ reference: String) -> OrderSnapshot {
        var order = self
        order.transactions =
            (order.transactions ?? []) + [
                FinancialTransaction(type: type, payeeReference: reference, amount: amount)
            ]
        return order
    }
}

extension Operation {
    /// An operation with an address.
    public static func sample(_ rel: Rel, method: String? = nil) -> Operation {
        Operation(rel: rel, method: method, href: .sample(rel.rawValue))
    }
}

extension DeciderSpec {
    /// Starts the pending request and responds with an order.
    public func when(
        order: OrderSnapshot,
        status: Int = 200,
        fileID: String = #fileID,
        filePath: String = #filePath,
        line: Int = #line,
        column: Int = #column
    ) -> DeciderSpec {
        when(
            outcome: .order(order, status: status),
            fileID: fileID,
            filePath: filePath,
            line: line,
            column: column
        )
    }
}
