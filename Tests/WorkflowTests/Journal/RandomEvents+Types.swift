@testable import SwedbankPay

extension RandomEvents {
    private mutating func mode() -> MenuMode {
        one([.menu, .restricted(several { $0.method() }), .instrument(method())])
    }

    /// An event of a type with random content.
    mutating func event(_ type: EventType) -> SessionEvent {
        switch type {
        case .opened: .opened(opened())
        case .fetched:
            .fetched(
                Fetched(
                    cause: rel(),
                    digest: digest(),
                    durationMilliseconds: maybe { $0.number() },
                    snapshot: maybe { $0.snapshot() }
                )
            )
        case .methodsOffered:
            .methodsOffered(
                MethodsOffered(
                    methods: several {
                        MethodOffer(
                            instrument: $0.one(Instrument.allCases),
                            method: $0.method(),
                            prefills: $0.several { $0.prefill() }
                        )
                    }
                )
            )
        case .attemptStarted: .attemptStarted(AttemptStarted(number: int(), choice: choice()))
        case .operationStarted:
            .operationStarted(
                OperationStarted(
                    effect: effect(),
                    rel: rel(),
                    attempt: maybe { $0.int() },
                    tryNumber: int()
                )
            )
        case .operationSucceeded:
            .operationSucceeded(
                OperationSucceeded(
                    effect: effect(),
                    rel: rel(),
                    status: int(),
                    durationMilliseconds: number(),
                    content: one([
                        .snapshot, .empty, .undecodable(raw: nil), .undecodable(raw: sealed()),
                    ])
                )
            )
        case .operationFailed: .operationFailed(operationFailed())
        case .externalAppRequested:
            .externalAppRequested(
                ExternalAppRequested(request: request(), callbackURL: maybe { $0.outside() })
            )
        case .externalAppLaunched: .externalAppLaunched(ActionAnswered(action: action()))
        case .externalAppLaunchFailed: .externalAppLaunchFailed(actionFailed())
        case .returned: .returned(Returned(form: one([.original, .augmented, .customScheme])))
        case .threeDSMethodRequested: .threeDSMethodRequested(request())
        case .threeDSMethodCompleted:
            .threeDSMethodCompleted(
                ThreeDSMethodCompleted(
                    action: action(),
                    indicator: one([.completed, .failed, .unknown]),
                    timedOut: chance()
                )
            )
        case .threeDSRequested: .threeDSRequested(request())
        case .threeDSShown: .threeDSShown(ActionAnswered(action: action()))
        case .threeDSCompleted:
            .threeDSCompleted(ThreeDSCompleted(action: action(), cRes: sealed()))
        case .threeDSClosed: .threeDSClosed(ActionAnswered(action: action()))
        case .threeDSLoadFailed: .threeDSLoadFailed(actionFailed())
        case .walletRequested:
            .walletRequested(WalletRequested(request: request(), method: method()))
        case .walletAuthorized:
            .walletAuthorized(WalletAuthorized(action: action(), payload: sealed()))
        case .walletCanceled: .walletCanceled(ActionAnswered(action: action()))
        case .walletFailed: .walletFailed(actionFailed())
        case .menuChosen: .menuChosen(MenuChosen(mode: mode()))
        case .menuRequested:
            .menuRequested(
                MenuRequested(
                    action: action(),
                    mode: mode(),
                    script: sealed()
                )
            )
        case .menuShown: .menuShown(ActionAnswered(action: action()))
        case .menuClosed:
            .menuClosed(
                MenuClosed(
                    action: action(),
                    outcome: one([.completed, .canceled, .failed]),
                    error: maybe { $0.outside() },
                    failure: maybe { $0.pageFailure() }
                )
            )
        case .problem: .problem(problem())
        case .problemAcknowledged:
            .problemAcknowledged(ProblemAcknowledged(reference: sealed(), accepted: chance()))
        case .retryRequested: .retryRequested(RetryRequested(by: text()))
        case .refetchRequested: .refetchRequested(RefetchRequested(by: text()))
        case .abortRequested: .abortRequested(AbortRequested(by: text()))
        case .canceled: .canceled(Canceled(by: one([.client, .psp, .payer])))
        case .completed:
            .completed(
                Completed(
                    evidence: one([.redirectToCompleteURL, .orderStatus, .completeURLReached])
                )
            )
        case .expired: .expired(Expired(reason: one([.goneAtPSP, .lifetime])))
        case .failed:
            .failed(
                Failed(
                    reason: one([.configuration, .endReached]),
                    host: maybe { $0.text() },
                    money: maybe { $0.one([Money.Standing.none, .unknown]) }
                )
            )
        case .callbackReceived: .callbackReceived(CallbackReceived(digest: digest()))
        case .noteAdded: .noteAdded(NoteAdded(by: text(), text: sealed()))
        case .operatorActed:
            .operatorActed(
                OperatorActed(
                    by: text(),
                    action: text(),
                    reason: maybe { $0.text() },
                    resolution: maybe {
                        MoneyResolution(
                            verdict: $0.one(MoneyResolution.Verdict.allCases),
                            amount: $0.maybe { abs($0.number()) }
                        )
                    }
                )
            )
        default: .checkout(checkoutEvent(of: type))
        }
    }
}
