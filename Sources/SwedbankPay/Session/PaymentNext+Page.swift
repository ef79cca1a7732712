internal import Workflow

extension PaymentRules {
    /// While the client shows the PSP's page, that page handles the payment, and the session is
    /// only polled for its end.
    ///
    /// The page shows problems to the payer and may solve them; native steps would interfere with
    /// it.
    func openPageStep(in state: PaymentState, _ snapshot: Snapshot) -> Step? {
        guard state.isPageOpen else { return nil }
        return redirectStep(in: state, snapshot)
            ?? abortStep(in: state, snapshot)
            ?? overdueStep(in: state)
            ?? pollStep(in: state, snapshot)
            ?? .rest
    }

    /// R8 to R10: the session's presentation is changed to match the payer's choice, then the
    /// client is asked to show the page.
    func pageStep(in state: PaymentState, _ snapshot: Snapshot) -> Step? {
        guard let wanted = state.wantedPage else { return nil }
        guard state.page == nil else { return closedPageStep(in: state, snapshot) }
        let presentation = snapshot.normalized(wanted.presentation)
        guard snapshot.shows(presentation, knownAs: state.presentation.current) else {
            return presentingStep(presentation, in: state, snapshot)
        }
        guard let script = snapshot.sessionOperation(.viewPayment)?.href else {
            return .record([.problem(methodNotAvailable(.noPage))])
        }
        return ask(
            .menuRequested(
                MenuRequested(action: state.nextAction, mode: wanted.mode, script: script)
            ),
            in: state
        )
    }

    /// R9 and R10: changed at most as often as the limit allows, whatever the PSP then shows.
    func presentingStep(
        _ presentation: Presentation,
        in state: PaymentState,
        _ snapshot: Snapshot
    ) -> Step {
        let count = state.attempt?.customizations ?? state.menu?.customizations ?? 0
        guard count < limits.customizations,
            let operation = snapshot.sessionOperation(.customizePayment)
        else {
            return .record([
                .problem(
                    methodNotAvailable(.notShown, presentation.subject)
                )
            ])
        }
        return request(operation, sending: .presentation(presentation), in: state)
    }

    /// The result of the page shows in the session, not in how the page was left.
    private func closedPageStep(
        in state: PaymentState,
        _ snapshot: Snapshot
    ) -> Step {
        guard let page = state.page, page.closed == .canceled,
            page.reads < PaymentState.readsAfterClosedPage
        else {
            return pollStep(in: state, snapshot) ?? .rest
        }
        return read(in: state, notBefore: pauseAfterResponse(in: state), isPoll: false)
    }
}

extension Presentation {
    /// The subject of the presentation, for operators.
    fileprivate var subject: String? {
        switch self {
        case .all: nil
        case .restricted(let names): names.map(\.rawValue).joined(separator: ", ")
        case .instrument(let name): name.rawValue
        case .newCard: "new card"
        }
    }
}
