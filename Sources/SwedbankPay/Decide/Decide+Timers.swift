public import EventLog
internal import Workflow

extension SessionDecider {
    /// The points in time that a state waits for.
    public func timers(
        in state: SessionState
    ) -> [(timer: SessionTimer, until: Instant)] {
        guard state.outcome == nil, state.isOpen else { return [] }
        var timers: [(timer: SessionTimer, until: Instant)] = []
        for action in state.actions where action.isOpen {
            guard case .load3DSMethod = action.kind else { continue }
            timers.append(
                (.methodLimit(action.id), until: action.requestedAt + limits.threeDSMethod)
            )
        }
        if let attempt = state.attempt, !attempt.isOverdue {
            let limit = attempt.choice.instrument == .swish ? limits.swishAttempt : limits.attempt
            timers.append(
                (.attemptLimit(number: attempt.number), until: attempt.since + limit)
            )
        }
        if let menu = state.menu, !menu.isOverdue, state.page != nil {
            timers.append(
                (.menuLimit(chosenAt: menu.chosenAt), until: menu.since + limits.attempt)
            )
        }
        if mayExpire(state) {
            timers.append((.sessionLimit, until: state.openedAt + limits.session))
        }
        return timers
    }

    /// A payment that is waited for has its own limit; one that nobody can tell the outcome of is left to people.
    private func mayExpire(_ state: SessionState) -> Bool {
        // Of an order that may have been paid nobody says that it expired before it was read.
        if state.checkout != nil { return !(state.isStalled && state.mayHaveBeenPaid) }
        let isOverdue: Bool
        let mayHaveBegun: Bool
        if let attempt = state.attempt {
            isOverdue = attempt.isOverdue
            mayHaveBegun = attempt.isStarted || attempt.mayHaveStarted
        } else if let menu = state.menu, state.page != nil {
            isOverdue = menu.isOverdue
            mayHaveBegun = true
        } else {
            return true
        }
        return state.isStalled ? !mayHaveBegun : isOverdue
    }

    /// Who asks for the last look at a session before it expires.
    package static let lastLook = "engine"

    /// What a point in time brings, if the state waits for it and it has come.
    func facts(
        of timer: SessionTimer,
        in state: SessionState,
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
            return [
                .problem(
                    Problem(
                        origin: .engine,
                        kind: .deadlineExceeded,
                        title: .plain("The payer did not finish in time"),
                        isRetryable: true,
                        actor: .payer
                    )
                )
            ]
        case .sessionLimit:
            // A request without an answer may have paid: what is owed tells more, and goes first.
            guard state.running == nil else { return [] }
            if case .call(let call) = next(), !call.isPoll { return [] }
            // Somebody may have paid since the last reading, here or elsewhere: expiring is final.
            guard state.book.isAnswered(at: now) || !mayReadAtEnd(state) else {
                return [.refetchRequested(RefetchRequested(by: Self.lastLook))]
            }
            return [.expired(Expired(reason: .lifetime))]
        }
    }

    /// Whether the session or order can be read once more before it expires: also after the engine gave up, but then once.
    private func mayReadAtEnd(_ state: SessionState) -> Bool {
        guard state.sequence < limits.events - 2, state.checkout?.canBeRead ?? true else {
            return false
        }
        return !state.isStalled || !state.isReadAtEnd
    }
}
