internal import EventLog

extension SessionDecider {
    /// What the client did about an action: taken once, the same again is fine, anything else is refused.
    func facts(
        of report: ClientReport,
        in state: SessionState
    ) throws(Rejection) -> [SessionEvent] {
        guard let action = state.actions.last(where: { $0.id == report.action }) else {
            throw .unknownAction(report.action)
        }
        guard action.allows(report.outcome) else {
            throw .outcomeNotPossible(action.id, allowed: action.kind.allowedOutcomes)
        }
        if let noted = try notes(of: report.outcome, to: action, in: state) { return noted }
        switch action.status {
        case .answered(let known):
            // On the screen is said again, late: the answer says more.
            guard action.kind.areSame(known, report.outcome) || report.outcome == .shown else {
                throw .actionAnswered(action.id)
            }
            return []
        case .withdrawn: throw .actionWithdrawn(action.id)
        case .shown where report.outcome == .shown: return []
        case .open, .shown: break
        }
        return events(of: report.outcome, to: action)
    }

    private func pageFailed(_ closed: MenuClosed) -> [SessionEvent] {
        [
            .menuClosed(closed),
            .problem(
                Problem(
                    origin: .client,
                    kind: .menuFailed,
                    title: .plain("The payment page could not be shown, or gave up"),
                    detail: closed.error ?? closed.failure?.details,
                    isRetryable: false,
                    actor: .payer,
                    failure: closed.failure
                )
            ),
        ]
    }

    private func events(of outcome: ReportOutcome, to action: ClientAction) -> [SessionEvent] {
        let answered = ActionAnswered(action: action.id)
        switch (action.kind, outcome) {
        case (.checkIn, .shown): return [.checkout(.checkInShown(answered))]
        case (.checkIn, .checkedIn(let reference)):
            return [
                .checkout(
                    .payerCheckedIn(
                        PayerCheckedIn(action: action.id, consumerProfileRef: reference)
                    )
                )
            ]
        case (.checkIn, .canceled): return [.checkout(.checkInClosed(answered))]
        case (.checkIn, .failed(let error)):
            return [
                .checkout(.checkInFailed(ActionFailed(action: action.id, error: error))),
                .problem(
                    Problem(
                        origin: .client,
                        kind: .checkInFailed,
                        title: .plain("The check-in could not be shown, or gave up"),
                        detail: error,
                        isRetryable: false,
                        actor: .merchant
                    )
                ),
                .failed(Failed(reason: .pageFailed)),
            ]
        case (.launchApp, .launched): return [.externalAppLaunched(answered)]
        case (.launchApp, .launchFailed):
            return [.externalAppLaunchFailed(ActionFailed(action: action.id))]
        case (.load3DSMethod, .done):
            return [
                .threeDSMethodCompleted(
                    ThreeDSMethodCompleted(action: action.id, indicator: .completed)
                )
            ]
        case (.load3DSMethod, .failed):
            return [
                .threeDSMethodCompleted(
                    ThreeDSMethodCompleted(action: action.id, indicator: .failed)
                )
            ]
        case (.show3DS, .shown): return [.threeDSShown(answered)]
        case (.show3DS, .challengeCompleted(let cRes)):
            return [.threeDSCompleted(ThreeDSCompleted(action: action.id, cRes: cRes))]
        case (.show3DS, .canceled): return [.threeDSClosed(answered)]
        case (.authorizeWallet, .authorized(let payload)):
            return [.walletAuthorized(WalletAuthorized(action: action.id, payload: payload))]
        case (.authorizeWallet, .canceled): return [.walletCanceled(answered)]
        case (.authorizeWallet, .failed(let error)):
            return [.walletFailed(ActionFailed(action: action.id, error: error))]
        case (.showMenu, .shown): return [.menuShown(answered)]
        case (.showMenu, .completed):
            return [.menuClosed(MenuClosed(action: action.id, outcome: .completed))]
        case (.showMenu, .canceled):
            return [.menuClosed(MenuClosed(action: action.id, outcome: .canceled))]
        case (.showMenu, .failed(let error)):
            return pageFailed(MenuClosed(action: action.id, outcome: .failed, error: error))
        case (.showMenu, .pageFailed(let failure)):
            return pageFailed(MenuClosed(action: action.id, outcome: .failed, failure: failure))
        case (.show3DS, .failed(let error)):
            return [
                .threeDSLoadFailed(ActionFailed(action: action.id, error: error)),
                .problem(
                    Problem(
                        origin: .client,
                        kind: .threeDSLoadFailed,
                        title: .plain("The bank's page could not be shown"),
                        detail: error,
                        isRetryable: true,
                        actor: .payer
                    )
                ),
            ]
        default: return []
        }
    }
}

extension SessionDecider {
    /// What the client only notes of an open page; nothing for an answer.
    private func notes(
        of outcome: ReportOutcome,
        to action: ClientAction,
        in state: SessionState
    ) throws(Rejection) -> [SessionEvent]? {
        let event: CheckoutEvent
        let recordsAddresses = state.checkout?.opening.options.recordsAddresses ?? false
        switch outcome {
        case .navigated(let destination, let place, let url):
            guard state.checkout?.opening.options.recordsNavigation ?? true else { return [] }
            event = .navigated(
                Navigated(
                    action: action.id,
                    destination: destination,
                    place: place,
                    url: recordsAddresses ? url : nil
                )
            )
        case .leftForExternalContent(let destination, let place, let url):
            event = .externalContentOpened(
                Navigated(
                    action: action.id,
                    destination: destination,
                    place: place,
                    url: recordsAddresses ? url : nil
                )
            )
        case .openedTermsOfService:
            event = .termsOfServiceOpened(ActionAnswered(action: action.id))
        default: return nil
        }
        guard state.checkout != nil else {
            throw .outcomeNotPossible(action.id, allowed: action.kind.allowedOutcomes)
        }
        // What comes late, of a page that is left, changes nothing any more.
        guard action.isOpen, state.outcome == nil, let checkout = state.checkout,
            checkout.notes < limits.notes
        else { return [] }
        return [.checkout(event)]
    }
}

extension ClientAction {
    /// Whether an action of this kind can be answered like that at all.
    func allows(_ outcome: ReportOutcome) -> Bool {
        switch (kind, outcome) {
        case (.launchApp, .launched), (.launchApp, .launchFailed): true
        case (.load3DSMethod, .done), (.load3DSMethod, .failed): true
        case (.show3DS, .shown), (.show3DS, .challengeCompleted), (.show3DS, .canceled),
            (.show3DS, .failed):
            true
        case (.authorizeWallet, .authorized), (.authorizeWallet, .canceled),
            (.authorizeWallet, .failed):
            true
        case (.checkIn, .shown), (.checkIn, .checkedIn), (.checkIn, .canceled), (.checkIn, .failed):
            true
        case (.showMenu, .navigated), (.showMenu, .leftForExternalContent),
            (.showMenu, .openedTermsOfService):
            true
        case (.showMenu, .shown), (.showMenu, .completed), (.showMenu, .canceled),
            (.showMenu, .failed), (.showMenu, .pageFailed):
            true
        default: false
        }
    }
}

extension ClientAction.Kind {
    /// Whether two answers say the same, as far as the log keeps them.
    fileprivate func areSame(_ known: ReportOutcome, _ reported: ReportOutcome) -> Bool {
        switch (self, known, reported) {
        case (.load3DSMethod, .failed, .failed): true
        default: known == reported
        }
    }

    /// The answers that a client may give, in the words of the command line.
    public var allowedOutcomes: [String] {
        switch self {
        case .launchApp: ["launched", "launch-failed"]
        case .load3DSMethod: ["done", "failed"]
        case .show3DS: ["shown", "completed", "canceled", "failed"]
        case .authorizeWallet: ["authorized", "canceled", "failed"]
        case .showMenu: ["shown", "completed", "canceled", "failed"]
        case .checkIn: ["shown", "checked-in", "canceled", "failed"]
        }
    }
}
