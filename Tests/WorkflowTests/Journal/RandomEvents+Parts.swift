@testable import EventLog
@testable import SwedbankPay

extension RandomEvents {
    mutating func opened() -> Opened {
        var metadata: [String: OutsideText] = [:]
        for _ in 0..<Int.random(in: 0...4, using: &random) { metadata[text()] = outside() }
        return Opened(
            sessionURL: sealed(),
            host: text(),
            reference: maybe { $0.outside() },
            metadata: metadata,
            userAgent: text(),
            preferences: several {
                $0.one([
                    .swish(msisdn: nil), .swish(msisdn: $0.sealed()), .card(rank: nil),
                    .card(rank: $0.int()), .savedCard(.token($0.sealed())),
                    .savedCard(
                        .seen(SeenCard(maskedPan: $0.text(), brand: $0.text()))
                    ),
                    .newCard(showsConsent: $0.chance()),
                    .applePay(merchantIdentifier: $0.text()), .googlePay, .clickToPay,
                ])
            },
            callbackScheme: maybe { $0.text() },
            checkout: maybe {
                SessionID(
                    at: Instant(microseconds: 1_763_640_000_000_000),
                    random: ($0.random.next(), $0.random.next())
                )
            },
            purpose: maybe { PaymentOrderPurpose(rawValue: $0.text()) }
        )
    }

    mutating func choice() -> Choice {
        one([
            .swish(msisdn: nil), .swish(msisdn: sealed()), .card(rank: int(), token: sealed()),
            .newCard(showsConsent: chance()), .applePay(merchantIdentifier: text()), .googlePay,
            .clickToPay,
        ])
    }

    mutating func operationFailed() -> OperationFailed {
        OperationFailed(
            effect: effect(),
            rel: rel(),
            reach: one([.notSent, .maybeSent, .answered]),
            code: text(),
            status: maybe { $0.int() },
            document: maybe { $0.document() },
            durationMilliseconds: number(),
            tryNumber: int(),
            retryAt: maybe { $0.instant() }
        )
    }

    mutating func document() -> ProblemDocument {
        ProblemDocument(
            type: text(),
            title: maybe { $0.outside() },
            status: maybe { $0.int() },
            detail: maybe { $0.outside() },
            raw: maybe { $0.sealed() },
            isWellFormed: chance()
        )
    }

    mutating func actionFailed() -> ActionFailed {
        ActionFailed(action: action(), error: maybe { $0.outside() })
    }

    mutating func problem() -> Problem {
        Problem(
            origin: one([.session, .engine, .client]),
            kind: maybe { $0.one(EngineProblemKind.allCases) },
            type: maybe { $0.text() },
            title: maybe { $0.outside() },
            status: maybe { $0.int() },
            detail: maybe { $0.outside() },
            isRetryable: chance(),
            actor: one([.payer, .merchant, .psp]),
            reference: maybe { $0.sealed() },
            rel: maybe { $0.rel() },
            failure: maybe { $0.pageFailure() }
        )
    }

    mutating func pageFailure() -> PageFailure {
        PageFailure(
            origin: maybe { $0.outside() },
            messageID: maybe { $0.outside() },
            details: maybe { $0.outside() }
        )
    }

    mutating func request() -> TaskRequested {
        TaskRequested(
            action: action(),
            key: TaskKey(digest: digest()),
            attempt: maybe { $0.int() },
            task: task(),
            notificationURL: maybe { $0.sealed() }
        )
    }

    mutating func task() -> IntegrationTask {
        IntegrationTask(
            rel: one([.scaRedirect, .walletSDK, TaskRel(rawValue: text())]),
            href: maybe { $0.sealed() },
            scheme: maybe { $0.text() },
            method: maybe { $0.text() },
            contentType: maybe { $0.text() },
            expects: several { $0.expectation() }
        )
    }

    mutating func expectation() -> Expectation {
        Expectation(
            name: text(),
            value: one([
                .sealed(sealed()), .string(text()), .strings(several { $0.text() }),
                .bool(chance()), .integer(number()), .null, .unknown(type: text(), raw: sealed()),
            ])
        )
    }

    mutating func operation() -> Operation {
        Operation(
            rel: rel(),
            method: maybe { $0.text() },
            href: maybe { $0.sealed() },
            isNext: chance(),
            tasks: several { $0.task() },
            expects: several { $0.expectation() },
            target: maybe {
                $0.one([.complete, .cancel, .payment, .elsewhere(host: $0.text()), .unreadable])
            },
            contentType: maybe { $0.text() }
        )
    }

    mutating func prefill() -> Prefill {
        if chance() { return .swish(rank: int(), msisdn: sealed(), masked: text()) }
        return .card(
            SavedCard(
                rank: int(),
                token: sealed(),
                brand: maybe { $0.text() },
                maskedPan: maybe { $0.text() },
                expiry: maybe {
                    CardExpiry(year: $0.int(), month: Int.random(in: 1...12, using: &$0.random))
                }
            )
        )
    }

    mutating func offered() -> OfferedMethod {
        OfferedMethod(
            name: method(),
            prefills: several { $0.prefill() },
            operations: several { $0.operation() },
            cardBrands: several { $0.text() },
            merchantCapabilities: several { $0.text() },
            allowedCardAuthMethods: several { $0.text() },
            environment: maybe { $0.text() },
            amount: maybe { $0.number() }
        )
    }

    mutating func urls() -> OrderURLs {
        OrderURLs(
            complete: maybe { $0.outside() },
            cancel: maybe { $0.outside() },
            payment: maybe { $0.outside() },
            hosts: several { $0.outside() },
            termsOfService: maybe { $0.outside() }
        )
    }

    mutating func snapshot() -> Snapshot {
        Snapshot(
            culture: maybe { $0.text() },
            methods: several { $0.offered() },
            instrumentMode: maybe { $0.method() },
            enabledMethods: maybe { $0.several { $0.method() } },
            urls: urls(),
            operations: several { $0.operation() },
            problem: maybe {
                SessionProblem(
                    type: $0.text(),
                    title: $0.maybe { $0.outside() },
                    status: $0.maybe { $0.int() },
                    detail: $0.maybe { $0.outside() },
                    originalDetail: $0.maybe { $0.outside() },
                    acknowledge: $0.maybe { $0.operation() }
                )
            },
            particulars: Particulars(
                id: maybe { $0.sealed() },
                currency: maybe { $0.text() },
                description: maybe { $0.outside() },
                payeeName: maybe { $0.text() },
                paymentMethod: maybe { $0.method() },
                integration: maybe { $0.text() },
                traceID: maybe { $0.text() },
                allowsCustomLogo: maybe { $0.chance() },
                allowsCustomStyling: maybe { $0.chance() }
            ),
            unknown: maybe { $0.sealed() }
        )
    }
}
