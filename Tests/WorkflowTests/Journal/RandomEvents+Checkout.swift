@testable import EventLog
@testable import SwedbankPay

extension RandomEvents {
    /// An event of a type that only checkouts have, with random content.
    mutating func checkoutEvent(of type: EventType) -> CheckoutEvent {
        switch type {
        case .checkoutOpened: .checkoutOpened(checkoutOpened())
        case .endpointsDiscovered:
            .endpointsDiscovered(
                EndpointsDiscovered(
                    endpoints: BackendEndpoints(consumers: maybe { $0.sealed() }, orders: sealed())
                )
            )
        case .checkInOffered: .checkInOffered(CheckInOffered(script: sealed()))
        case .checkInRequested:
            .checkInRequested(CheckInRequested(action: action(), script: sealed()))
        case .checkInShown: .checkInShown(ActionAnswered(action: action()))
        case .payerCheckedIn:
            .payerCheckedIn(PayerCheckedIn(action: action(), consumerProfileRef: sealed()))
        case .checkInClosed: .checkInClosed(ActionAnswered(action: action()))
        case .checkInFailed: .checkInFailed(actionFailed())
        case .orderFetched:
            .orderFetched(
                OrderFetched(
                    cause: rel(),
                    digest: digest(),
                    durationMilliseconds: maybe { $0.number() },
                    order: maybe { $0.order() }
                )
            )
        case .instrumentChosen: .instrumentChosen(InstrumentChosen(instrument: method()))
        case .externalContentOpened: .externalContentOpened(step())
        case .navigated: .navigated(step())
        case .termsOfServiceOpened: .termsOfServiceOpened(ActionAnswered(action: action()))
        case .handedOver: .handedOver(HandedOver(session: session()))
        case .handedBack:
            .handedBack(
                HandedBack(session: session(), outcome: maybe { $0.one(Outcome.allCases) })
            )
        case .orderConfirmed:
            .orderConfirmed(
                OrderConfirmed(
                    order: text(),
                    number: maybe { $0.number() },
                    instrument: maybe { $0.method() },
                    currency: maybe { $0.text() },
                    amount: maybe { $0.number() },
                    transactionType: maybe { $0.text() }
                )
            )
        case .transactionRequested:
            .transactionRequested(
                TransactionRequest(
                    kind: one(TransactionKind.allCases),
                    payeeReference: text(),
                    amount: maybe { $0.number() },
                    vatAmount: maybe { $0.number() },
                    description: outside(),
                    receiptReference: maybe { $0.text() },
                    orderItems: maybe { $0.sealed() }
                )
            )
        default:
            .transactionSettled(
                TransactionSettled(payeeReference: text(), result: one(TransactionResult.allCases))
            )
        }
    }

    private mutating func checkoutOpened() -> CheckoutOpened {
        CheckoutOpened(
            gateway: one(OrderGateway.allCases),
            root: sealed(),
            host: text(),
            document: sealed(),
            terms: OrderTerms(
                purpose: text(),
                currency: maybe { $0.text() },
                amount: maybe { $0.number() },
                language: maybe { $0.text() },
                instrument: maybe { $0.method() },
                urls: urls()
            ),
            generation: one(CheckoutGeneration.allCases),
            payeeReference: maybe { $0.text() },
            consumer: maybe {
                ConsumerTerms(language: $0.text(), shippingCountries: $0.several { $0.text() })
            },
            presents: chance(),
            options: CheckoutOptions(
                redirects: one(CheckoutOptions.Redirects.allCases),
                overridesTermsOfService: chance(),
                recordsNavigation: chance(),
                redirectHosts: several { $0.text() },
                recordsAddresses: chance()
            ),
            reference: maybe { $0.outside() },
            metadata: chance() ? [text(): outside()] : [:],
            userAgent: text(),
            callbackScheme: maybe { $0.text() }
        )
    }

    private mutating func order() -> OrderSnapshot {
        OrderSnapshot(
            id: maybe { $0.text() },
            number: maybe { $0.number() },
            status: maybe { $0.one([.paid, OrderStatus(rawValue: $0.text())]) },
            purpose: maybe { $0.text() },
            currency: maybe { $0.text() },
            amount: maybe { $0.number() },
            vatAmount: maybe { $0.number() },
            remainingCapture: maybe { $0.number() },
            remainingCancellation: maybe { $0.number() },
            remainingReversal: maybe { $0.number() },
            instrument: maybe { $0.method() },
            availableInstruments: several { $0.method() },
            isInstrumentMode: maybe { $0.chance() },
            urls: urls(),
            operations: several { $0.operation() },
            paid: maybe {
                PaidDetails(
                    instrument: $0.maybe { $0.method() },
                    number: $0.maybe { $0.number() },
                    payeeReference: $0.maybe { $0.text() },
                    orderReference: $0.maybe { $0.text() },
                    transactionType: $0.maybe { $0.text() },
                    amount: $0.maybe { $0.number() }
                )
            },
            failedAttempts: maybe { $0.int() },
            transactions: maybe {
                $0.several {
                    FinancialTransaction(
                        type: $0.text(),
                        number: $0.maybe { $0.number() },
                        payeeReference: $0.maybe { $0.text() },
                        amount: $0.maybe { $0.number() },
                        vatAmount: $0.maybe { $0.number() }
                    )
                }
            },
            abortReason: maybe { $0.outside() },
            failure: maybe { $0.document() }
        )
    }

    private mutating func step() -> Navigated {
        Navigated(
            action: action(),
            destination: maybe { $0.text() },
            place: one(Navigated.Place.allCases),
            url: maybe { $0.sealed() }
        )
    }

    private mutating func session() -> SessionID {
        SessionID(
            at: Instant(microseconds: 1_763_640_000_000_000),
            random: (random.next(), random.next())
        )
    }
}
