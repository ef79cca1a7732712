@testable import EventLog
@testable import SwedbankPay

extension GoldenEvents {
    /// Returns each type that only checkouts have, with every member at least once.
    static func checkout(_ seal: (String) -> Sealed) -> [SessionEvent] {
        let native = SessionID(
            at: Instant(microseconds: 1_763_640_000_000_000),
            random: (0x0123_4567_89ab_cdef, 0xfedc_ba98_7654_3210)
        )
        let action = ActionID(requestedAt: 5)
        let events: [CheckoutEvent] = [
            .checkoutOpened(opened(seal)),
            .endpointsDiscovered(
                EndpointsDiscovered(
                    endpoints: BackendEndpoints(
                        consumers: seal("https://shop.example/api/consumers"),
                        orders: seal("https://shop.example/api/paymentorders")
                    )
                )
            ),
            .checkInOffered(CheckInOffered(script: seal("https://psp.example/consumer.js"))),
            .checkInRequested(
                CheckInRequested(action: action, script: seal("https://psp.example/consumer.js"))
            ),
            .checkInShown(ActionReported(action: action)),
            .checkInFailed(ActionFailed(action: action, error: .plain("no network"))),
            .checkInClosed(ActionReported(action: action)),
            .payerCheckedIn(PayerCheckedIn(action: action, consumerProfileRef: seal("profile"))),
            .orderFetched(
                OrderFetched(
                    cause: .paymentOrders,
                    digest: .zero,
                    durationMilliseconds: 12,
                    order: order(seal)
                )
            ),
            .instrumentChosen(InstrumentChosen(instrument: .swish)),
            .navigated(Navigated(action: action, destination: "bank.example", place: .webView)),
            .externalContentOpened(Navigated(action: action, destination: "bankid:", place: .app)),
            .termsOfServiceOpened(ActionReported(action: action)),
            .handedOver(HandedOver(session: native)),
            .handedBack(HandedBack(session: native, outcome: .completed)),
            .orderConfirmed(
                OrderConfirmed(
                    order: "/psp/paymentorders/1f2e",
                    number: 4711,
                    instrument: .creditCard,
                    currency: "SEK",
                    amount: 10_000,
                    transactionType: "Authorization"
                )
            ),
            .transactionRequested(
                TransactionRequest(
                    kind: .capture,
                    payeeReference: "CAP1",
                    amount: 10_000,
                    vatAmount: 2_000,
                    description: "Leverans – första",
                    receiptReference: "R1",
                    orderItems: seal("[]")
                )
            ),
            .transactionSettled(TransactionSettled(payeeReference: "CAP1", result: .accepted)),
            .transactionSettled(TransactionSettled(payeeReference: "CAP1", result: .done)),
        ]
        return events.map { .checkout($0) } + [
            .canceled(Canceled(by: .payer)), .failed(Failed(reason: .pageFailed)),
            .failed(Failed(reason: .orderFailed)),
            .completed(Completed(evidence: .completeURLReached)),
        ]
    }

    private static func opened(_ seal: (String) -> Sealed) -> CheckoutOpened {
        CheckoutOpened(
            gateway: .merchantBackend,
            root: seal("https://shop.example/api/"),
            host: "shop.example",
            document: seal("{\"operation\":\"Purchase\"}"),
            terms: OrderTerms(
                purpose: "Purchase",
                currency: "SEK",
                amount: 10_000,
                language: "sv-SE",
                instrument: .creditCard,
                urls: OrderURLs(
                    complete: "https://shop.example/complete",
                    hosts: ["https://shop.example/"]
                )
            ),
            generation: .v2,
            payeeReference: "REF1",
            consumer: ConsumerTerms(language: "sv-SE", shippingCountries: ["SE", "NO"]),
            presents: true,
            options: CheckoutOptions(
                redirects: .browser,
                overridesTermsOfService: true,
                recordsNavigation: true
            ),
            reference: "order-4711",
            metadata: ["kassa": "2"],
            userAgent: "payment-workflow/1",
            callbackScheme: "shopapp"
        )
    }

    private static func order(_ seal: (String) -> Sealed) -> OrderSnapshot {
        OrderSnapshot(
            id: "/psp/paymentorders/1f2e",
            number: 1,
            status: .paid,
            purpose: "Purchase",
            currency: "SEK",
            amount: 10_000,
            vatAmount: 2_000,
            remainingCapture: 10_000,
            remainingCancellation: 10_000,
            remainingReversal: 0,
            instrument: .creditCard,
            availableInstruments: [.creditCard, .swish],
            isInstrumentMode: true,
            urls: OrderURLs(complete: "https://shop.example/complete"),
            operations: [
                Operation(rel: .viewCheckout, method: "GET", href: seal("https://psp.example/js"))
            ],
            paid: PaidDetails(
                instrument: .creditCard,
                number: 4711,
                payeeReference: "REF1",
                orderReference: "1001",
                transactionType: "Authorization",
                amount: 10_000
            ),
            failedAttempts: 1,
            transactions: [
                FinancialTransaction(
                    type: "Authorization",
                    number: 4712,
                    payeeReference: "REF1",
                    amount: 10_000,
                    vatAmount: 2_000
                )
            ],
            abortReason: .plain("CancelledByConsumer")
        )
    }
}
