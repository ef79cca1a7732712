@testable import EventLog
@testable import SwedbankPay
@testable import Workflow

/// The events of the golden log: each type at least once, with values that are hard for JSON
/// parsers.
enum GoldenEvents {
    static func all(_ seal: (String) -> Sealed) -> [SessionEvent] {
        let task = IntegrationTask(
            rel: .scaRedirect,
            href: seal("https://acs.example/challenge"),
            scheme: "https",
            method: "POST",
            contentType: "application/x-www-form-urlencoded",
            expects: [
                Expectation(name: "creq", value: .sealed(seal("eyJ0aHJlZURT"))),
                Expectation(name: "indicator", value: .string("Y")),
                Expectation(name: "brands", value: .strings(["Visa", "Kort – \"blå\" \\ 😀"])),
                Expectation(name: "flag", value: .bool(false)),
                Expectation(name: "greatest", value: .integer(9_007_199_254_740_991)),
                Expectation(name: "least", value: .integer(-9_007_199_254_740_991)),
                Expectation(name: "nothing", value: .null),
                Expectation(name: "odd", value: .unknown(type: "object", raw: seal("{\"a\":1}"))),
            ]
        )
        let request = TaskRequested(
            action: ActionID(requestedAt: 9),
            key: TaskKey(digest: .zero),
            attempt: 1,
            task: task,
            notificationURL: seal("https://pay.example/3ds/9")
        )
        let swish = Prefill.swish(rank: 1, msisdn: seal("+46739000001"), masked: "+46•••••0001")
        let card = Prefill.card(
            SavedCard(
                rank: 1,
                token: seal("token-1"),
                brand: "Visa",
                maskedPan: "476173******1416",
                expiry: CardExpiry(year: 2027, month: 12)
            )
        )
        return beginning(seal, swish: swish, card: card) + operations(seal)
            + client(seal, request: request) + endings(seal)
    }

    private static func beginning(
        _ seal: (String) -> Sealed,
        swish: Prefill,
        card: Prefill
    ) -> [SessionEvent] {
        let start = Operation(
            rel: .startPaymentAttempt,
            method: "POST",
            href: seal("https://api.example/start"),
            isNext: true,
            expects: [],
            contentType: "application/json"
        )
        let leave = Operation(
            rel: .redirectPayer,
            method: "GET",
            href: seal("https://shop.example/done"),
            target: .elsewhere(host: "shop.example")
        )
        let snapshot = Snapshot(
            culture: "sv-SE",
            methods: [
                OfferedMethod(name: .swish, prefills: [swish], operations: [start], amount: 12_500),
                OfferedMethod(name: .creditCard, prefills: [card], cardBrands: ["Visa"]),
            ],
            enabledMethods: [.swish, .creditCard],
            urls: OrderURLs(complete: "https://shop.example/done", hosts: ["https://shop.example"]),
            operations: [leave],
            problem: SessionProblem(type: "https://api.example/problem", title: .plain("Nekad ✗")),
            particulars: SnapshotDetails(id: seal("id-1"), currency: "SEK", allowsCustomLogo: true),
            unknown: seal("{\"later\":true}")
        )
        return [
            .opened(
                Opened(
                    sessionURL: seal("https://api.example/psp/paymentsessions/secret"),
                    host: "api.example",
                    reference: "order-4711\n\u{1}",
                    metadata: ["\u{FFFD}": "after", "😀": "before", "a\"b\\": "\t", "": "empty"],
                    userAgent: "payment-workflow/1",
                    preferences: [.swish(msisdn: nil), .card(rank: 2), .googlePay],
                    callbackScheme: "shop"
                )
            ),
            .fetched(
                Fetched(
                    cause: .session,
                    digest: SnapshotCodec.digest(of: snapshot),
                    snapshot: snapshot
                )
            ),
            .methodsOffered(
                MethodsOffered(methods: [
                    MethodOffer(instrument: .swish, method: .swish, prefills: [swish]),
                    MethodOffer(instrument: .card, method: .creditCard, prefills: [card]),
                ])
            ),
            .attemptStarted(
                AttemptStarted(number: 1, choice: .card(rank: 1, token: seal("token-1")))
            ),
            .attemptStarted(AttemptStarted(number: 2, choice: .swish(msisdn: nil))),
        ]
    }

    private static func operations(_ seal: (String) -> Sealed) -> [SessionEvent] {
        let effect = EffectID(rawValue: "e-2")
        let rel = Rel.startPaymentAttempt
        return [
            .operationStarted(
                OperationStarted(effect: effect, rel: rel, attempt: 1, tryNumber: 1)
            ),
            .operationSucceeded(
                OperationSucceeded(
                    effect: effect,
                    rel: rel,
                    status: 200,
                    durationMilliseconds: 312,
                    content: .undecodable(raw: seal("<html>"))
                )
            ),
            .operationFailed(
                OperationFailed(
                    effect: effect,
                    rel: rel,
                    reach: .responded,
                    code: "http.status",
                    status: 503,
                    document: ProblemDocument(
                        type: "about:blank",
                        detail: .sealed(seal("psp said so"))
                    ),
                    durationMilliseconds: 9,
                    tryNumber: 2,
                    retryAt: Instant(microseconds: 1_763_640_060_000_000)
                )
            ),
        ]
    }

    private static func client(
        _ seal: (String) -> Sealed,
        request: TaskRequested
    ) -> [SessionEvent] {
        let action = request.action
        let answered = ActionReported(action: action)
        let failed = ActionFailed(action: action, error: .plain("kunde inte öppnas"))
        return [
            .externalAppRequested(
                ExternalAppRequested(request: request, callbackURL: "https://shop.example/pay")
            ),
            .externalAppLaunched(answered), .externalAppLaunchFailed(failed),
            .returned(Returned(form: .customScheme)), .threeDSMethodRequested(request),
            .threeDSMethodCompleted(
                ThreeDSMethodCompleted(action: action, indicator: .unknown, timedOut: true)
            ),
            .threeDSRequested(request), .threeDSShown(answered),
            .threeDSCompleted(ThreeDSCompleted(action: action, cRes: seal("cres"))),
            .threeDSLoadFailed(failed),
            .walletRequested(WalletRequested(request: request, method: .applePay)),
            .walletAuthorized(WalletAuthorized(action: action, payload: seal("{\"token\":1}"))),
            .walletCanceled(answered), .walletFailed(failed),
            .menuRequested(
                MenuRequested(
                    action: action,
                    mode: .restricted([.swish]),
                    script: seal("https://js")
                )
            ),
            .menuShown(answered), .menuClosed(MenuClosed(action: action, outcome: .canceled)),
        ]
    }

    private static func endings(_ seal: (String) -> Sealed) -> [SessionEvent] {
        [
            .problem(
                Problem(
                    origin: .session,
                    kind: .requestFailed,
                    type: "https://api.example/declined",
                    title: .plain("Declined"),
                    status: 403,
                    detail: .sealed(seal("card 4761…")),
                    isRetryable: true,
                    actor: .payer,
                    reference: seal("https://ack"),
                    rel: .startPaymentAttempt
                )
            ),
            .problemAcknowledged(
                ProblemAcknowledged(reference: seal("https://ack"), accepted: true)
            ),
            .retryRequested(RetryRequested(by: "payer")),
            .abortRequested(AbortRequested(by: "ann")), .canceled(Canceled(by: .client)),
            .completed(Completed(evidence: .redirectToCompleteURL)),
            .expired(Expired(reason: .goneAtPSP)),
            .failed(Failed(reason: .endReached, host: "shop.example")),
            .callbackReceived(CallbackReceived(digest: .zero)),
            .noteAdded(NoteAdded(by: "ann", text: seal("ringde kunden"))),
            .operatorActed(OperatorActed(by: "ann", action: "reveal", reason: "ärende 42")),
        ]
    }

    /// Returns the PSP's page in each of its modes, and a challenge that the payer closed.
    static func paymentPage(_ seal: (String) -> Sealed) -> [SessionEvent] {
        let trustly = PaymentMethodName(rawValue: "Trustly")
        return [
            .menuChosen(MenuChosen(mode: .menu)),
            .menuChosen(MenuChosen(mode: .restricted([.swish, trustly]))),
            .menuChosen(MenuChosen(mode: .instrument(trustly))),
            .menuRequested(
                MenuRequested(
                    action: ActionID(requestedAt: 4),
                    mode: .instrument(trustly),
                    script: seal("https://js")
                )
            ),
            .threeDSClosed(ActionReported(action: ActionID(requestedAt: 9))),
            .problem(
                Problem(
                    origin: .client,
                    kind: .menuFailed,
                    title: .plain("The page could not be shown"),
                    isRetryable: false,
                    actor: .payer
                )
            ),
        ]
    }
}
