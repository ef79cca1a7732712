internal import EventLog

extension KindRules {
    /// The events for a client's report about an action: it is recorded once, repeating it has no
    /// effect, and a different report is rejected.
    func facts(
        of report: ActionReport,
        in state: State
    ) throws(Rejection) -> [SessionEvent] {
        guard let action = state.actions.last(where: { $0.id == report.action }) else {
            throw .unknownAction(report.action)
        }
        guard action.allows(report.outcome) else {
            throw .outcomeNotPossible(action.id, allowed: action.kind.allowedOutcomes)
        }
        if let noted = try notes(of: report.outcome, to: action, in: state) { return noted }
        switch action.status {
        case .reported(let known):
            // A late repetition of `shown` is ignored, because the earlier report contains more.
            guard action.kind.areSame(known, report.outcome) || report.outcome == .shown else {
                throw .actionAlreadyReported(action.id)
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
                    detail: closed.error ?? closed.failure?.details,
                    isRetryable: false,
                    actor: .payer,
                    failure: closed.failure
                )
            ),
        ]
    }

    private func events(of outcome: ReportOutcome, to action: ClientAction) -> [SessionEvent] {
        let (id, reported) = (action.id, ActionReported(action: action.id))
        switch (action.kind, outcome) {
        case (.checkIn, _): return checkInEvents(of: outcome, to: id)
        case (.showMenu, _): return pageEvents(of: outcome, to: id)
        case (.show3DS, _): return challengeEvents(of: outcome, to: id)
        case (.launchApp, .launched): return [.externalAppLaunched(reported)]
        case (.launchApp, .launchFailed):
            return [.externalAppLaunchFailed(ActionFailed(action: id))]
        case (.load3DSMethod, .done):
            let completed = ThreeDSMethodCompleted(action: id, indicator: .completed)
            return [.threeDSMethodCompleted(completed)]
        case (.load3DSMethod, .failed):
            let completed = ThreeDSMethodCompleted(action: id, indicator: .failed)
            return [.threeDSMethodCompleted(completed)]
        case (.authorizeWallet, .authorized(let payload)):
            return [.walletAuthorized(WalletAuthorized(action: id, payload: payload))]
        case (.authorizeWallet, .canceled): return [.walletCanceled(reported)]
        case (.authorizeWallet, .failed(let error)):
            return [.walletFailed(ActionFailed(action: id, error: error))]
        case (.launchApp, _), (.load3DSMethod, _), (.authorizeWallet, _): return []
        }
    }

    private func checkInEvents(of outcome: ReportOutcome, to id: ActionID) -> [SessionEvent] {
        let reported = ActionReported(action: id)
        switch outcome {
        case .shown: return [.checkout(.checkInShown(reported))]
        case .checkedIn(let reference):
            let checkedIn = PayerCheckedIn(action: id, consumerProfileRef: reference)
            return [.checkout(.payerCheckedIn(checkedIn))]
        case .canceled: return [.checkout(.checkInClosed(reported))]
        case .failed(let error):
            return [
                .checkout(.checkInFailed(ActionFailed(action: id, error: error))),
                .problem(
                    Problem(
                        origin: .client,
                        kind: .checkInFailed,
                        detail: error,
                        isRetryable: false,
                        actor: .merchant
                    )
                ),
                .failed(Failed(reason: .pageFailed)),
            ]
        default: return []
        }
    }

    private func pageEvents(of outcome: ReportOutcome, to id: ActionID) -> [SessionEvent] {
        switch outcome {
        case .shown: return [.menuShown(ActionReported(action: id))]
        case .completed: return [.menuClosed(MenuClosed(action: id, outcome: .completed))]
        case .canceled: return [.menuClosed(MenuClosed(action: id, outcome: .canceled))]
        case .failed(let error):
            return pageFailed(MenuClosed(action: id, outcome: .failed, error: error))
        case .pageFailed(let failure):
            return pageFailed(MenuClosed(action: id, outcome: .failed, failure: failure))
        default: return []
        }
    }

    private func challengeEvents(of outcome: ReportOutcome, to id: ActionID) -> [SessionEvent] {
        let reported = ActionReported(action: id)
        switch outcome {
        case .shown: return [.threeDSShown(reported)]
        case .challengeCompleted(let cRes):
            return [.threeDSCompleted(ThreeDSCompleted(action: id, cRes: cRes))]
        case .canceled: return [.threeDSClosed(reported)]
        case .failed(let error):
            return [
                .threeDSLoadFailed(ActionFailed(action: id, error: error)),
                .problem(
                    Problem(
                        origin: .client,
                        kind: .threeDSLoadFailed,
                        detail: error,
                        isRetryable: true,
                        actor: .payer
                    )
                ),
            ]
        default: return []
        }
    }

    /// A client can't report notes about a page that this kind of session shows.
    func notes(
        of outcome: ReportOutcome,
        to action: ClientAction,
        in state: State
    ) throws(Rejection) -> [SessionEvent]? {
        guard outcome.isNote else { return nil }
        throw .outcomeNotPossible(action.id, allowed: action.kind.allowedOutcomes)
    }
}

extension ReportOutcome {
    /// Whether the report only describes an open page and does not complete the action.
    fileprivate var isNote: Bool {
        switch self {
        case .navigated, .leftForExternalContent, .openedTermsOfService: true
        case .launched, .launchFailed, .shown, .done, .failed, .pageFailed, .challengeCompleted,
            .authorized, .completed, .canceled, .checkedIn, .timedOut:
            false
        }
    }
}

extension ClientAction {
    /// Whether an action of this kind can have that outcome at all.
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
    /// Whether two reports are the same as far as the log keeps them.
    fileprivate func areSame(_ known: ReportOutcome, _ reported: ReportOutcome) -> Bool {
        switch (self, known, reported) {
        case (.load3DSMethod, .failed, .failed): true
        default: known == reported
        }
    }

    /// The outcomes that a client may report, as the command line names them.
    public var allowedOutcomes: [String] {
        let words: [ClientReport.Word] =
            switch self {
            case .launchApp: [.launched, .launchFailed]
            case .load3DSMethod: [.done, .failed]
            case .show3DS: [.shown, .completed, .canceled, .failed]
            case .authorizeWallet: [.authorized, .canceled, .failed]
            case .showMenu: [.shown, .completed, .canceled, .failed]
            case .checkIn: [.shown, .checkedIn, .canceled, .failed]
            }
        return words.map(\.rawValue)
    }
}
