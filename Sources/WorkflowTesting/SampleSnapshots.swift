internal import EventLog
public import SwedbankPay

extension Operation {
    /// An operation whose address is derived from its name, or as given.
    public static func sample(
        _ rel: Rel,
        at href: String? = nil,
        next isNext: Bool = false,
        tasks: [IntegrationTask] = [],
        expects: [Expectation] = [],
        target: RedirectTarget? = nil
    ) -> Operation {
        Operation(
            rel: rel,
            method: rel.onlyReads ? "GET" : "POST",
            href: .sample(href ?? rel.rawValue),
            isNext: isNext,
            tasks: tasks,
            expects: expects,
            target: target
        )
    }

    /// The operation that starts 3-D Secure.
    ///
    /// - Parameters:
    ///   - method: Identifies the data of the 3-D Secure method; `nil` when there is none.
    ///   - preset: The indicator that the PSP presets.
    ///   - notification: Whether it contains the address for the challenge's result.
    /// - Returns: The operation.
    public static func authentication(
        method: String? = nil,
        preset: String? = nil,
        notification: Bool = true
    ) -> Operation {
        var expects: [Expectation] = []
        if notification {
            expects.append(
                Expectation(name: "NotificationUrl", value: .sealed(.sample("notification")))
            )
        }
        if let preset {
            expects.append(
                Expectation(name: "methodCompletionIndicator", value: .string(preset))
            )
        }
        return .sample(
            .createAuthentication,
            next: true,
            tasks: method.map { [.methodCall($0)] } ?? [],
            expects: expects
        )
    }
}

extension IntegrationTask {
    /// A link that opens Swish.
    public static func launch(_ token: String = "token-1") -> IntegrationTask {
        IntegrationTask(
            rel: .launchClientApp,
            href: .sample("swish://" + token),
            scheme: "swish",
            method: "GET"
        )
    }

    /// The hidden 3-D Secure method with that data.
    public static func methodCall(_ data: String) -> IntegrationTask {
        IntegrationTask(
            rel: .scaMethodRequest,
            href: .sample("method-page"),
            scheme: "https",
            method: "POST",
            expects: [Expectation(name: "threeDSMethodData", value: .sealed(.sample(data)))]
        )
    }

    /// The request to present a wallet.
    public static func wallet(amount: String = "100.00") -> IntegrationTask {
        IntegrationTask(
            rel: .walletSDK,
            expects: [
                Expectation(name: "TotalAmount", value: .sealed(.sample(amount))),
                Expectation(name: "SupportedNetworks", value: .strings(["visa", "mastercard"])),
                Expectation(name: "ShippingAddressRequired", value: .bool(false)),
            ]
        )
    }

    /// The challenge with that request.
    public static func challenge(_ creq: String = "creq-1") -> IntegrationTask {
        IntegrationTask(
            rel: .scaRedirect,
            href: .sample("challenge-page"),
            scheme: "https",
            method: "POST",
            expects: [Expectation(name: "creq", value: .sealed(.sample(creq)))]
        )
    }
}

extension Snapshot {
    /// The addresses of a sample order.
    public static let sampleURLs = OrderURLs(
        complete: "https://shop.example/complete",
        cancel: "https://shop.example/cancel",
        payment: "https://shop.example/pay?id=1",
        hosts: ["https://shop.example/"]
    )

    /// A session that requires the client's environment.
    public static let unprepared = Snapshot(
        culture: "sv-SE",
        urls: sampleURLs,
        operations: [.sample(.preparePayment, next: true)]
    )
    /// Offers Swish.
    public static let withSwish = choosing([.sampleSwish])
    /// Offers a saved card.
    public static let withCard = choosing([.sampleCard])
    /// Offers Swish and a saved card.
    public static let withSwishAndCard = choosing([.sampleSwish, .sampleCard])
    /// A Swish payment runs on another device.
    public static let swishUnderWay = running(
        .swish,
        .sample(.getPayment, at: "poll", next: true)
    )
    /// A Swish payment waits for the app on this device.
    public static let swishToLaunch = running(
        .swish,
        .sample(.getPayment, at: "poll", next: true, tasks: [.launch()])
    )
    /// The card payment is being processed.
    public static let cardUnderWay = running(
        .creditCard,
        .sample(.getPayment, at: "poll", next: true)
    )
    /// The payment is completed.
    public static let paid = redirecting(to: .complete)
    /// The payment was aborted.
    public static let givenUp = redirecting(to: .cancel)

    /// Offers methods, together with the operations that are always available.
    public static func choosing(_ methods: [OfferedMethod]) -> Snapshot {
        Snapshot(
            culture: "sv-SE",
            methods: methods,
            enabledMethods: methods.map(\.name),
            urls: sampleURLs,
            operations: [
                .sample(.customizePayment), .sample(.abortPayment), .sample(.viewPayment),
                .sample(.eventLogging),
            ]
        )
    }

    /// A running attempt with a method that has these operations.
    public static func running(_ method: PaymentMethodName, _ operations: Operation...) -> Snapshot
    {
        Snapshot(
            culture: "sv-SE",
            methods: [
                OfferedMethod(
                    name: method,
                    operations: operations + [.sample(.failPaymentAttempt)]
                )
            ],
            urls: sampleURLs,
            operations: [.sample(.abortPayment), .sample(.eventLogging)]
        )
    }

    /// Every native method, and two that are available on the PSP's page only.
    public static let withEverything = choosing(
        [.sampleSwish, .sampleCard]
            + Instrument.allCases.filter(\.isWallet).compactMap(\.method)
            .map(OfferedMethod.sampleWallet)
            + [OfferedMethod(name: .clickToPay), OfferedMethod(name: .sampleWeb)]
    )

    /// The wallet is to be presented for the running attempt.
    public static func authorizing(_ method: PaymentMethodName) -> Snapshot {
        running(method, .sample(.attemptPayload, next: true, tasks: [.wallet()]))
    }

    /// The snapshot with only these methods.
    public func showing(_ names: [PaymentMethodName]) -> Snapshot {
        var copy = self
        copy.methods.removeAll { !names.contains($0.name) }
        return copy
    }

    /// A challenge to be shown, with the address for its result.
    public static func challenging(_ creq: String = "creq-1") -> Snapshot {
        running(
            .creditCard,
            .sample(.completeAuthentication, next: true, tasks: [.challenge(creq)])
        )
    }

    /// The payer is redirected.
    public static func redirecting(to target: RedirectTarget?, hasHref: Bool = true) -> Snapshot {
        var operation = Operation.sample(.redirectPayer, next: true, target: target)
        if !hasHref { operation.href = nil }
        return Snapshot(culture: "sv-SE", urls: sampleURLs, operations: [operation])
    }

    /// The snapshot with a method expanded: it offers to start an attempt.
    public func expanding(_ method: PaymentMethodName) -> Snapshot {
        var copy = self
        for index in copy.methods.indices where copy.methods[index].name == method {
            copy.methods[index].operations = [
                .sample(.startPaymentAttempt, at: "start-\(method.rawValue)")
            ]
        }
        return copy
    }

    /// The snapshot with a failed attempt.
    public func with(_ problem: SessionProblem) -> Snapshot {
        var copy = self
        copy.problem = problem
        return copy
    }

    /// The snapshot with additional operations of the session.
    public func with(_ operations: Operation...) -> Snapshot {
        var copy = self
        copy.operations += operations
        return copy
    }

    /// The snapshot without the session's operations of a kind.
    public func without(_ rel: Rel) -> Snapshot {
        var copy = self
        copy.operations.removeAll { $0.rel == rel }
        return copy
    }

    /// The snapshot locked to a method.
    public func locked(to method: PaymentMethodName?) -> Snapshot {
        var copy = self
        copy.instrumentMode = method
        return copy
    }
}

extension OfferedMethod {
    /// Swish with two saved numbers, the second choice first.
    public static let sampleSwish = OfferedMethod(
        name: .swish,
        prefills: [
            .swish(rank: 2, msisdn: .sample("+46739000002"), masked: "+46•••••0002"),
            .swish(rank: 1, msisdn: .sample("+46739000001"), masked: "+46•••••0001"),
        ],
        operations: [.sample(.expandMethod, at: "expand-Swish")]
    )

    /// A wallet.
    public static func sampleWallet(_ name: PaymentMethodName) -> OfferedMethod {
        OfferedMethod(
            name: name,
            operations: [.sample(.expandMethod, at: "expand-\(name.rawValue)")],
            cardBrands: ["Visa", "MasterCard"]
        )
    }

    /// Cards with two saved ones, the second choice first.
    public static let sampleCard = OfferedMethod(
        name: .creditCard,
        prefills: [.card(.sample(rank: 2)), .card(.sample(rank: 1))],
        operations: [.sample(.expandMethod, at: "expand-CreditCard")],
        cardBrands: ["Visa"]
    )
}

extension PaymentMethodName {
    /// A method that is available on the PSP's page only.
    public static let sampleWeb = PaymentMethodName(rawValue: "Trustly")
}

extension SavedCard {
    /// A saved card; its token is derived from the rank.
    public static func sample(rank: Int) -> SavedCard {
        SavedCard(
            rank: rank,
            token: .sample("token-of-card-\(rank)"),
            brand: "Visa",
            maskedPan: "476173******1416",
            expiry: CardExpiry(year: 2027, month: 12)
        )
    }
}
