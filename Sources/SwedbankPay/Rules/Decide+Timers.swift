internal import EventLog
internal import Workflow

extension KindRules {
    /// The timers of a state.
    func timers(
        in state: State
    ) -> [(timer: SessionTimer, until: Instant)] {
        guard state.outcome == nil else { return [] }
        var timers: [(timer: SessionTimer, until: Instant)] = []
        for action in state.openMethodRequests {
            timers.append(
                (.methodLimit(action.id), until: action.requestedAt + limits.threeDSMethod)
            )
        }
        timers += ownTimers(in: state)
        if mayExpire(state) {
            timers.append((.sessionLimit, until: state.openedAt + limits.session))
        }
        return timers
    }

    /// The events for a timer, if the state waits for it and its time has come.
    func facts(
        of timer: SessionTimer,
        in state: State,
        _ next: () -> Step,
        at now: Instant
    ) -> [SessionEvent] {
        let isDue = timers(in: state).contains { $0.timer == timer && $0.until <= now }
        guard isDue else { return [] }
        switch timer {
        case .methodLimit(let action):
            return [
                .threeDSMethodCompleted(
                    ThreeDSMethodCompleted(action: action, indicator: .unknown, timedOut: true)
                )
            ]
        case .attemptLimit, .menuLimit:
            let isPayers = waitsForPayer(state)
            return [
                .problem(
                    Problem(
                        origin: .engine,
                        kind: .deadlineExceeded,
                        isRetryable: true,
                        actor: isPayers ? .payer : .psp
                    )
                )
            ]
        case .sessionLimit:
            // A request without a response may have paid: the pending request has more information
            // and takes precedence.
            guard state.running == nil else { return [] }
            if case .request(let request) = next(), !request.isPoll { return [] }
            // Someone may have paid since the last read, here or elsewhere, and expiry is final.
            // A read from before the limit does not show what happened until then.
            let limit = state.openedAt + limits.session
            guard state.book.isAnswered(at: now, after: limit) || !mayReadAtEnd(state) else {
                return [.refetchRequested(RefetchRequested(by: SessionDecider.lastLook))]
            }
            return [.expired(Expired(reason: .lifetime))]
        }
    }

    /// Whether only the payer is waited for: the PSP responds, and something is left for the payer
    /// to do, perhaps in an app on another device.
    private func waitsForPayer(_ state: State) -> Bool {
        guard !state.isStalled, state.running == nil, !state.requests.awaitsRetry else {
            return false
        }
        return state.actions.contains(where: \.isOpen) || state.hasPage
            || state.payingInstrument?.appScheme != nil
    }

    /// Whether the session or order can be read once more before it expires; after the engine gave
    /// up, only once.
    private func mayReadAtEnd(_ state: State) -> Bool {
        guard state.sequence < limits.events - 2, state.canBeRead else {
            return false
        }
        return !state.isStalled || !state.isReadAtEnd
    }
}

extension SessionPart {
    /// The 3-D Secure method requests that are awaited, oldest first.
    ///
    /// A log that was forged may name several actions alike. A report concerns the newest of them,
    /// so the others have no time limit, which would never end.
    fileprivate var openMethodRequests: [ClientAction] {
        let actions = progress.actions
        let places = actions.indices.filter { place in
            guard actions[place].isOpen, case .load3DSMethod = actions[place].kind else {
                return false
            }
            return true
        }
        guard !places.isEmpty else { return [] }
        let newest = Dictionary(zip(actions.map(\.id), actions.indices)) { $1 }
        return places.filter { newest[actions[$0].id] == $0 }.map { actions[$0] }
    }
}

extension SessionDecider {
    /// The requester of the last read before a session expires.
    package static let lastLook = "engine"
}
